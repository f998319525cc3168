
Transfer function 'C' from input 'e' to output ...

         3 s + 5
 volts:  -------
            s   

Continuous-time model.

Transfer function 'P' from input 'volts' to output ...

              2     
 angle:  -----------
         0.1 s^2 + s

Continuous-time model.
