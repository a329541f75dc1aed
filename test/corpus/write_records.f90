!> Writes an unformatted file as this compiler does: write_records PLAN PAYLOAD OUTPUT
!>
!> PLAN is a text: the access, CONVERT=, the record length in bytes (direct access) and the number
!> of records, then a line a record: its number and how many elements it has of each type, twice: a
!> record holds two groups of arrays. PAYLOAD holds the values, native, with nothing between them.
program write_records
   use record_values, only : values, kinds, read_values, write_next, write_record
   implicit none
   character(len=1024) :: plan_file, payload_file, output_file
   character(len=20) :: access, convert
   integer :: plan, payload, output, length, records, number, i
   integer :: first(kinds), second(kinds)
   type(values) :: a, b

   call get_command_argument(1, plan_file)
   call get_command_argument(2, payload_file)
   call get_command_argument(3, output_file)
   open(newunit=plan, file=trim(plan_file), action="read", status="old")
   open(newunit=payload, file=trim(payload_file), access="stream", form="unformatted", &
      & action="read", status="old", convert="native")
   read(plan, *) access, convert, length, records
   if (access == "direct") then
      open(newunit=output, file=trim(output_file), access="direct", form="unformatted", &
         & action="write", status="replace", recl=length, convert=trim(convert))
   else
      open(newunit=output, file=trim(output_file), access=trim(access), form="unformatted", &
         & action="write", status="replace", convert=trim(convert))
   end if
   do i = 1, records
      read(plan, *) number, first, second
      call read_values(payload, first, a)
      call read_values(payload, second, b)
      if (access == "direct") then
         call write_record(output, number, a, b)
      else
         call write_next(output, a, b)
      end if
   end do
   close(output)
   close(payload)
   close(plan)
end program write_records
