
Transfer function 'G' from input 'u1' to output ...

      s + x
 y1:  -----
      s + 2

      1
 y2:  ---
      z

Continuous-time model.
