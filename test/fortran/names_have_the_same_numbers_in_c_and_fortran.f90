program names_have_the_same_numbers_in_c_and_fortran
   use, intrinsic :: iso_c_binding, only : c_associated, c_char, c_f_pointer, c_int, c_ptr, c_size_t
   use, intrinsic :: iso_fortran_env, only : iostat_end, iostat_eor
   use headrace, only : hr_stat
   use checks, only : check, finish
   implicit none

   interface
      function hr_stat_name(status) bind(c, name="hr_stat_name") result(name)
         import :: c_int, c_ptr
         implicit none
         integer(c_int), value, intent(in) :: status
         type(c_ptr) :: name
      end function hr_stat_name
      function strlen(text) bind(c, name="strlen") result(length)
         import :: c_ptr, c_size_t
         implicit none
         type(c_ptr), value, intent(in) :: text
         integer(c_size_t) :: length
      end function strlen
   end interface

   integer :: code, names, compared

   compared = 0
   call compare(hr_stat%success, "success")
   call compare(hr_stat%end_of_file, "end_of_file")
   call compare(hr_stat%end_of_record, "end_of_record")
   call compare(hr_stat%array_not_allocated, "array_not_allocated")
   call compare(hr_stat%array_assumed_size, "array_assumed_size")
   call compare(hr_stat%type_unknown, "type_unknown")
   call compare(hr_stat%type_derived, "type_derived")
   call compare(hr_stat%array_too_large, "array_too_large")
   call compare(hr_stat%argument_invalid, "argument_invalid")
   call compare(hr_stat%file_name_empty, "file_name_empty")
   call compare(hr_stat%format_unknown, "format_unknown")
   call compare(hr_stat%option_unknown, "option_unknown")
   call compare(hr_stat%file_size_mismatch, "file_size_mismatch")
   call compare(hr_stat%file_changed_while_writing, "file_changed_while_writing")
   call compare(hr_stat%descriptor_foreign, "descriptor_foreign")
   call compare(hr_stat%text_encoding, "text_encoding")
   call compare(hr_stat%bad_number, "bad_number")
   call compare(hr_stat%number_out_of_range, "number_out_of_range")
   call compare(hr_stat%row_length, "row_length")
   call compare(hr_stat%row_count, "row_count")
   call compare(hr_stat%missing_value, "missing_value")
   call compare(hr_stat%line_too_long, "line_too_long")
   call compare(hr_stat%format_invalid, "format_invalid")
   call compare(hr_stat%edit_mismatch, "edit_mismatch")
   call compare(hr_stat%kind_unsupported, "kind_unsupported")
   call compare(hr_stat%quote_unbalanced, "quote_unbalanced")
   call compare(hr_stat%column_unknown, "column_unknown")
   call compare(hr_stat%handle_closed, "handle_closed")
   call compare(hr_stat%compression_damaged, "compression_damaged")
   call compare(hr_stat%compression_unavailable, "compression_unavailable")
   call compare(hr_stat%record_too_short, "record_too_short")
   call compare(hr_stat%interrupted, "interrupted")
   call compare(hr_stat%file_changed_while_reading, "file_changed_while_reading")
   call compare(hr_stat%record_marker_damaged, "record_marker_damaged")
   call compare(hr_stat%record_size_mismatch, "record_size_mismatch")
   call compare(hr_stat%record_missing, "record_missing")
   call compare(hr_stat%checksum_mismatch, "checksum_mismatch")
   call compare(hr_stat%kind_mismatch, "kind_mismatch")
   call compare(hr_stat%shape_mismatch, "shape_mismatch")
   call compare(hr_stat%header_damaged, "header_damaged")
   call compare(hr_stat%array_missing, "array_missing")
   call compare(hr_stat%truncated_record, "truncated_record")
   call compare(hr_stat%layout_invalid, "layout_invalid")
   call compare(hr_stat%ranks_disagree, "ranks_disagree")
   call compare(hr_stat%rank_missing, "rank_missing")
   call compare(hr_stat%backend_unavailable, "backend_unavailable")
   call compare(hr_stat%step_missing, "step_missing")
   call compare(hr_stat%chunk_missing, "chunk_missing")
   call compare(hr_stat%library_failed, "library_failed")
   call compare(hr_stat%written_by_another_rank, "written_by_another_rank")

   names = 0
   do code = -10, 9999
      if (c_associated(hr_stat_name(code))) names = names + 1
   end do
   call check(names == compared, "every name in C is a component of hr_stat")
   call check(hr_stat%end_of_file == iostat_end, "end_of_file is iostat_end")
   call check(hr_stat%end_of_record == iostat_eor, "end_of_record is iostat_eor")
   call finish()

contains

subroutine compare(code, name)
   integer, intent(in) :: code
   character(len=*), intent(in) :: name
   character(kind=c_char), pointer :: letters(:)
   character(len=:), allocatable :: in_c
   integer :: i

   compared = compared + 1
   in_c = ""
   if (c_associated(hr_stat_name(code))) then
      call c_f_pointer(hr_stat_name(code), letters, [strlen(hr_stat_name(code))])
      do i = 1, size(letters)
         in_c = in_c//letters(i)
      end do
   end if
   call check(in_c == name, name//" is called "//in_c//" in C")
end subroutine compare

end program names_have_the_same_numbers_in_c_and_fortran
