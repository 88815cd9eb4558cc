#pragma once

#include <fmt/format.h>
#include <memory>
#include <stdexcept>
#include <typeindex>
#include <unordered_map>
#include <vector>

namespace guildhall {

// Objects that are found by their type: App adds what it has made, and a slice's functions name what they need as
// parameters. Filled at the start; not used by requests.
class Services {
 public:
  // Finds what `shared` has as well. It must exist as long as this.
  explicit Services(const Services* shared = nullptr) : shared_(shared) {}

  Services(const Services&) = delete;

  ~Services() {
    while (!owned_.empty()) owned_.pop_back();  // the users of an object before the object
  }

  template <class... Types>
  void add(Types&... objects) {
    (objects_.insert_or_assign(typeid(Types), Entry{&objects, std::is_const_v<Types>}), ...);
  }

  // Adds an object and keeps it.
  template <class T>
  void own(std::unique_ptr<T> object) {
    add(*object);
    owned_.push_back(std::move(object));
  }

  // `const T` may be asked for whatever was added. Throws std::logic_error, at the start, if there is none.
  template <class T>
  T& get() const {
    const auto found = objects_.find(typeid(T));
    if (found == objects_.end() && shared_ != nullptr) return shared_->get<T>();
    if (found == objects_.end() || (found->second.is_const && !std::is_const_v<T>)) {
      throw std::logic_error(fmt::format("a slice needs a service that does not exist: {}", typeid(T).name()));
    }
    return *static_cast<T*>(const_cast<void*>(found->second.object));
  }

 private:
  struct Entry {
    const void* object;
    bool is_const;
  };

  const Services* shared_;
  std::unordered_map<std::type_index, Entry> objects_;
  std::vector<std::shared_ptr<void>> owned_;
};

}  // namespace guildhall
