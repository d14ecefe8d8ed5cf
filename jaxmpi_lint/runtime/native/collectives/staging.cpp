#include "staging.hpp"

namespace jaxmpi::collectives {
namespace {

DeviceAddress address(const Array& array) { return reinterpret_cast<DeviceAddress>(array.data); }

}  // namespace

Staging::Staging(Stream stream) : cuda_(driver()), stream_(stream), inside_(cuda_, stream) {}

Staging::~Staging() {
    if (copying_) cuda_.synchronize(stream_);
}

Array Staging::on_host(const Array& on_device) {
    Array host = on_device;
    if (on_device.bytes != 0) host.data = memory_.emplace_back(cuda_, on_device.bytes).data();
    return host;
}

Array Staging::copied(const Array& on_device) {
    const Array host = on_host(on_device);
    if (host.bytes == 0) return host;
    copying_ = true;
    check(cuda_, cuda_.to_host(host.data, address(on_device), host.bytes, stream_), "copying from the GPU");
    return host;
}

Array Staging::result(const Array& on_device) {
    device_ = on_device;
    host_ = on_host(on_device);
    return host_;
}

void Staging::arrive() { wait("waiting for the GPU"); }

void Staging::bring_back() {
    if (host_.bytes == 0) return;
    copying_ = true;
    check(cuda_, cuda_.to_device(address(device_), host_.data, host_.bytes, stream_), "copying to the GPU");
    wait("waiting for the copy to the GPU");
}

void Staging::wait(const char* what) {
    const Result result = cuda_.synchronize(stream_);
    copying_ = false;
    check(cuda_, result, what);
}

}  // namespace jaxmpi::collectives
