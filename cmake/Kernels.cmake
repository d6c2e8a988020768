set(kernel_sources)
set(kernel_cuda_sources)
