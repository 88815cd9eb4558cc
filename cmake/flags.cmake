# One interface library carries the warnings and the hardening that every module is compiled with.
add_library(guildhall_flags INTERFACE)
target_compile_options(guildhall_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wimplicit-fallthrough
  -funsigned-char  # as on arm64; on amd64 char would be signed
  -fPIE -fstack-protector-strong -ftrivial-auto-var-init=zero -fno-omit-frame-pointer)
if(GUILDHALL_FILES_PER_UNIT EQUAL 1)  # otherwise names of other files of the unit would count as shadowed
  target_compile_options(guildhall_flags INTERFACE -Wshadow)
endif()
target_compile_definitions(guildhall_flags INTERFACE
  _GLIBCXX_ASSERTIONS BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION GUILDHALL_VERSION="${PROJECT_VERSION}")
target_link_options(guildhall_flags INTERFACE -pie -Wl,-z,relro,-z,now,-z,noexecstack
  $<$<CONFIG:Release>:-Wl,--gc-sections,--icf=safe>)  # functions of templates with the same code are kept once

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(guildhall_flags INTERFACE -fpch-instantiate-templates "SHELL:-Xclang -fno-pch-timestamp")
  target_link_options(guildhall_flags INTERFACE -fuse-ld=lld-16)
endif()

# Hardening that not every compiler has on every architecture.
include(CheckCXXCompilerFlag)
foreach(flag -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "HAVE${flag}" known)
  set(CMAKE_REQUIRED_FLAGS -Werror)
  check_cxx_compiler_flag(${flag} ${known})
  unset(CMAKE_REQUIRED_FLAGS)
  if(${known})
    target_compile_options(guildhall_flags INTERFACE ${flag})
  endif()
endforeach()

set(GUILDHALL_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")
if(GUILDHALL_SANITIZE)
  target_compile_options(guildhall_flags INTERFACE -fsanitize=${GUILDHALL_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(guildhall_flags INTERFACE -fsanitize=${GUILDHALL_SANITIZE})
  if(GUILDHALL_SANITIZE MATCHES undefined)
    # The check of virtual tables opens a pipe to see whether memory can be read. In a test that has no descriptor left, this
    # fails, and so would the test.
    target_compile_options(guildhall_flags INTERFACE -fno-sanitize=vptr)
  endif()
  target_compile_definitions(guildhall_flags INTERFACE GUILDHALL_SANITIZED)
else()
  # Fortified libc calls hide memory errors from the sanitizers, so they are for plain builds only.
  target_compile_options(guildhall_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>)
endif()
