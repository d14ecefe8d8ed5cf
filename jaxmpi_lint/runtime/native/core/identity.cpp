#include "identity.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "process_stat.hpp"

namespace jaxmpi {
namespace {

constexpr std::array kLaunchers{"hydra_pmi_proxy", "hydra_bstrap_pr", "pmi_proxy", "prted",         "prterun",
                                "orted",           "mpirun",          "mpiexec",   "mpiexec.hydra", "srun",
                                "slurmstepd",      "palsd",           "aprun"};

template <class Number>
Number number(std::string_view text) {
    Number value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string_view environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view{} : std::string_view{value};
}

std::string named(std::string_view kind, std::int32_t pid) {
    return std::string(kind) + ":" + std::to_string(pid) + ":" + std::to_string(process_stat(pid).started);
}

bool is_launcher(const std::string& name) {
    return std::ranges::any_of(kLaunchers, [&name](const char* known) {
        return name == std::string_view(known).substr(0, 15);  // the kernel keeps 15 characters
    });
}

// "4(x2),3": tasks on each node in turn; the count of node `node`.
std::int32_t tasks_of_node(std::string_view text, std::int32_t node) {
    while (!text.empty()) {
        const std::string_view item = text.substr(0, text.find(','));
        const std::size_t times = item.find("(x");
        const auto nodes = times == std::string_view::npos ? 1 : number<std::int32_t>(item.substr(times + 2));
        if (node < nodes) return number<std::int32_t>(item);
        node -= nodes;
        text.remove_prefix(std::min(text.size(), item.size() + 1));
    }
    return 0;
}

}  // namespace

std::uint64_t started(std::int32_t pid) { return process_stat(pid).started; }

std::int32_t front_launcher(std::int32_t pid) {
    constexpr std::array fronts{"mpirun", "mpiexec", "mpiexec.hydra", "prterun"};
    for (int distance = 0; pid > 1 && distance < 64; ++distance) {
        const ProcessStat ancestor = process_stat(pid);
        if (std::ranges::any_of(fronts, [&](const char* name) { return ancestor.name == name; })) return pid;
        pid = ancestor.parent;
    }
    return 0;
}

bool is_dead(std::int32_t pid) {
    const char state = process_stat(pid).state;
    return state == 'X' || state == 'Z';
}

std::string job_identity(std::int32_t world_size) {
    if (world_size == 1) return named(launched().total > 0 ? "single" : "alone", static_cast<std::int32_t>(getpid()));
    if (const auto space = environment("PMIX_NAMESPACE"); !space.empty()) return "pmix:" + std::string(space);
    if (const auto job = environment("SLURM_JOB_ID"), step = environment("SLURM_STEP_ID");
        !job.empty() && !step.empty() && environment("PMI_FD").empty())
        return "slurm:" + std::string(job) + "." + std::string(step);
    std::int32_t pid = static_cast<std::int32_t>(getppid());
    const std::int32_t parent = pid;
    for (int distance = 0; pid > 1 && distance < 64; ++distance) {
        const ProcessStat ancestor = process_stat(pid);
        if (is_launcher(ancestor.name)) return named("launcher", pid);
        pid = ancestor.parent;
    }
    return named("parent", parent);
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

Launched launched() {
    struct Source {
        const char *total, *here, *rank, *by;
    };
    constexpr std::array sources{
        Source{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's mpirun"},
        Source{"PMI_SIZE", "MPI_LOCALNRANKS", "PMI_RANK", "Hydra's mpirun"},
        Source{"SLURM_NTASKS", "", "SLURM_PROCID", "srun"}};
    for (const Source& source : sources) {
        Launched found{number<std::int32_t>(environment(source.total)), number<std::int32_t>(environment(source.here)),
                       number<std::int32_t>(environment(source.rank)), source.by};
        if (found.total <= 0) continue;
        if (source.here[0] == 0) {
            if (environment("SLURM_STEP_ID").empty()) continue;  // an allocation, but not a step
            found.here = tasks_of_node(environment("SLURM_STEP_TASKS_PER_NODE"),
                                       number<std::int32_t>(environment("SLURM_NODEID")));
        }
        return found;
    }
    return {};
}

}  // namespace jaxmpi
