pkg_check_modules(curl IMPORTED_TARGET libcurl>=7.85) # CURLOPT_PROTOCOLS_STR
if(curl_FOUND)
  find_package(Threads REQUIRED)
  pcdf_plugin(curl PkgConfig::curl Threads::Threads)
endif()
