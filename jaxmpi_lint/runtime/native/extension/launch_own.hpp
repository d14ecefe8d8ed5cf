// What this process knows of itself in a JAX job, for the files of the launches only.
#pragma once

#include <string>

#include "frames.hpp"
#include "launches.hpp"

namespace jaxmpi::launches {

struct Own {
    Header* header = nullptr;
    Lane* lane = nullptr;
    std::uint32_t place = 0;
    std::int32_t process = 0;  // pid: a forked child differs and is inert
    bool goes_on = false;      // on_error=continue
    bool strict = false;
    double patience = 0;  // seconds that a launch waits for others, with `strict`
    std::string folder;
};

Own& self();

void watch_aborts();  // of this process: launch_aborting.cpp

// A job's folder with all that is in it; the caller holds its lock or guarantees that no process uses it.
void remove_folder(const std::string& path);

}  // namespace jaxmpi::launches
