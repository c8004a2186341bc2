// A machine of little memory: what asks for more than this at once gets std::bad_alloc. The address sanitizer
// would end the program instead.
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t most_at_once = std::size_t(512) << 20;

void* try_to_allocate(std::size_t size) noexcept {
  return size <= most_at_once ? std::malloc(size) : nullptr;
}

void* allocate(std::size_t size) {
  void* memory = try_to_allocate(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return try_to_allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return try_to_allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
