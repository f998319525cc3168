% Elastic pendulum in polar coordinates
syms r th Dr Dth m k l g p t
K=[r th
Dr Dth
0 0
1 1]
TM=m*(Dr^2+r^2*Dth^2)/2
PM=k*(r-l)^2/2-m*g*r*cos(th)
FM=0
Functions
m=1
k=40
l=1
g=9.81
