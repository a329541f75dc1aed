!run: flags -std=legacy
      program labels
      integer i
      real x
      open (10, file='labels.txt')
      do 20 i = 1, 50
         x = i*0.37
         write (10, 100) i, x
         write (10, 110) x, x*2, x*3
         write (10, 120)
         if (mod(i, 10) .eq. 0) write (10, 130) i
   20 continue
  100 format (' step', i5, 1x, f10.4)
  110 format (1h ,3f10.3,5h  end, 3hit')
  120 format (12h a hollerith, ' and quoted ''text''')
  130 format (1x, 'i =', i4/ 1x, 10('-')//)
      end
