!> load_array for logicals, a module for each kind that bind(c) refuses.
!>
!> gfortran 12, with -std=f2018 in the program that uses it: "GNU Extension: LOGICAL dummy argument
!> 'array' at (1) with non-C_Bool kind in BIND(C) procedure".
!>
!> Next: load_logicals.inc, their common body.
module headrace_load_logical16
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use, intrinsic :: iso_fortran_env, only : lk => int16
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : array_type => logical_type, fit_to_file, hr_fortran_fill, &
      & load_request, text_place
   implicit none
   private
   include "load_logicals.inc"
end module headrace_load_logical16

module headrace_load_logical32
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use, intrinsic :: iso_fortran_env, only : lk => int32
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : array_type => logical_type, fit_to_file, hr_fortran_fill, &
      & load_request, text_place
   implicit none
   private
   include "load_logicals.inc"
end module headrace_load_logical32

module headrace_load_logical64
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use, intrinsic :: iso_fortran_env, only : lk => int64
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : array_type => logical_type, fit_to_file, hr_fortran_fill, &
      & load_request, text_place
   implicit none
   private
   include "load_logicals.inc"
end module headrace_load_logical64
