% Body of a vehicle on four wheels, as the authors write it (Mechanika 17(3), 2011, Eqs. 20-24); in the last row of TM the
% printed script has m*DZ^2*(...), a misprint of m*DZ*2*(...).
syms phix phiy Z z1 z2 z3 z4
syms Dphix Dphiy DZ Dz1 Dz2 Dz3 Dz4
syms m Jx Jy Jxy xs ys l1 l2 k h
syms Mx My Pz p t
K=[phix phiy Z z1 z2 z3 z4
Dphix Dphiy DZ Dz1 Dz2 Dz3 Dz4
Mx My Pz 0 0 0 0
1 1 1 0 0 0 0]
delta1=Z-l1*phiy-l2*phix;
Ddelta1=DZ-l1*Dphiy-l2*Dphix;
delta2=Z+l1*phiy-l2*phix;
Ddelta2=DZ+l1*Dphiy-l2*Dphix;
delta3=Z-l1*phiy+l2*phix;
Ddelta3=DZ-l1*Dphiy+l2*Dphix;
delta4=Z+l1*phiy+l2*phix;
Ddelta4=DZ+l1*Dphiy+l2*Dphix;
TM=[
m*DZ^2
Jx*Dphix^2
Jy*Dphiy^2
-Jxy*Dphix*Dphiy*2
m*DZ*2*(xs*Dphiy-ys*Dphix)
]/2
PM=k/2*[
delta1-z1
delta2-z2
delta3-z3
delta4-z4
].^2
FM=h/2*[
Ddelta1-Dz1
Ddelta2-Dz2
Ddelta3-Dz3
Ddelta4-Dz4
].^2
Functions
m=5000 %kg
Jx=3600 %kg*m^2
Jy=6000 %kg*m^2
Jxy=600 %kg*m^2
xs=0.2 %m
ys=0.05 %m
l1=1.35 %m
l2=0.85 %m
k=80000 %N/m
h=1920 %N*s/m
