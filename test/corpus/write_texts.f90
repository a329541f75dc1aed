!> Writes a text of the corpus the way this compiler does: write_texts PLAN PAYLOAD OUTPUT
!>
!> PLAN is a text: a format, or * for list-directed; the number of rows, of integers and of reals in
!> a row, the kind of the reals, and the number of header lines; then these lines. PAYLOAD holds
!> the integers of all rows, then the reals of all rows, native.
program write_texts
   use, intrinsic :: iso_fortran_env, only : int32, real32, real64
   implicit none
   character(len=1024) :: plan_file, payload_file, output_file, form, line
   integer :: plan, payload, output, rows, whole, real_numbers, kind_of_reals, headers, i
   integer(int32), allocatable :: numbers(:, :)
   real(real32), allocatable :: singles(:, :)
   real(real64), allocatable :: doubles(:, :)

   call get_command_argument(1, plan_file)
   call get_command_argument(2, payload_file)
   call get_command_argument(3, output_file)
   open(newunit=plan, file=trim(plan_file), action="read", status="old")
   open(newunit=payload, file=trim(payload_file), access="stream", form="unformatted", &
      & action="read", status="old")
   open(newunit=output, file=trim(output_file), form="formatted", action="write", status="replace")
   read(plan, "(a)") form
   read(plan, *) rows, whole, real_numbers, kind_of_reals, headers
   allocate(numbers(whole, rows), singles(merge(real_numbers, 0, kind_of_reals == 4), rows), &
      & doubles(merge(real_numbers, 0, kind_of_reals == 8), rows))
   read(payload) numbers, singles, doubles
   do i = 1, headers
      read(plan, "(a)") line
      write(output, "(a)") trim(line)
   end do
   do i = 1, rows
      if (form == "*") then
         write(output, *) numbers(:, i), singles(:, i), doubles(:, i)
      else
         write(output, form) numbers(:, i), singles(:, i), doubles(:, i)
      end if
   end do
   close(output)
   close(payload)
   close(plan)
end program write_texts
