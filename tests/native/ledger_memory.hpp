// A ledger in plain memory.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "ledger.hpp"

class LedgerMemory {
  public:
    explicit LedgerMemory(std::uint32_t ranks, std::uint32_t history = 64, std::uint32_t communicators = 8,
                          std::uint32_t world = 0) {
        world = std::max(ranks, world);
        const jaxmpi::Layout layout{ranks, history, communicators, world > ranks};
        memory_.reset(std::aligned_alloc(4096, layout.size()));
        std::fill_n(static_cast<char*>(memory_.get()), layout.size(), 0);
        auto& header = *static_cast<jaxmpi::Header*>(memory_.get());
        header.local_ranks = ranks;
        header.world_size = world;
        header.history = history;
        header.communicators = communicators;
    }
    jaxmpi::Ledger ledger() const { return jaxmpi::Ledger(memory_.get()); }

  private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
};
