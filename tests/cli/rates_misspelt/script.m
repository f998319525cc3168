syms x Dx F m k xdot
K=[x
Dx
F
1]
TM=m*xdot^2/2
PM=k*x^2/2
FM=0
