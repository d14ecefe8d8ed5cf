#include "exchange.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "core.hpp"
#include "errors_returned.hpp"
#include "files.hpp"
#include "hashing.hpp"
#include "routine.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kPortName = 1 << 14;  // more than any MPI_MAX_PORT_NAME

Word characters(const std::string& text) { return reinterpret_cast<Word>(text.c_str()); }

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// Hydra has a name service for each job. That of Open MPI may serve several, each with a namespace.
class NameService : public Exchange {
  public:
    bool publish(std::int32_t number, const std::string& text) override {
        const ErrorsReturned guard;
        name_ = name_of(number);
        text_ = text;
        return put(characters(name_), process().info_null, characters(text_)) == 0;
    }
    bool find(std::int32_t number, std::string& text) override {
        const ErrorsReturned guard;
        text.assign(kPortName, '\0');
        const bool found = get(characters(name_of(number)), process().info_null, characters(text)) == 0;
        text.resize(text.find('\0'));
        return found;
    }
    void withdraw() override {
        const ErrorsReturned guard;
        take(characters(name_), process().info_null, characters(text_));
    }

  private:
    static std::string name_of(std::int32_t number) {
        return "jaxmpi-sanitize/" + variable("PMIX_NAMESPACE") + "/" + std::to_string(number);
    }
    static inline const Routine put{"PMPI_Publish_name"}, take{"PMPI_Unpublish_name"}, get{"PMPI_Lookup_name"};
    std::string name_, text_;
};

// What launchers call a job, the same on all hosts; "" if they give no name.
std::string name_of_job() {
    if (const std::string space = variable("PMIX_NAMESPACE"); !space.empty()) return space;
    for (const auto& names : {std::array{"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"},
                              std::array{"PALS_APID", "", ""}, std::array{"FLUX_JOB_ID", "", ""}}) {
        std::string job = variable(names[0]);
        if (job.empty()) continue;
        for (const std::size_t i : {1, 2}) job.append(".").append(names[i][0] == 0 ? "" : variable(names[i]));
        return job;
    }
    return "";
}

// Files that only this user can read, in the directory in which the job was started.
class Files : public Exchange {
  public:
    bool publish(std::int32_t number, const std::string& text) override {
        if (job_.empty()) return false;
        std::array<char, 4096> folder{};
        if (getcwd(folder.data(), folder.size()) == nullptr) return false;
        folder_ = folder.data();
        path_ = path_of(number);
        unlink(path_.c_str());
        const Descriptor file = open_file(path_, O_WRONLY | O_CREAT | O_EXCL);
        const std::string line = text + "\n";
        return file && write(file.number(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
               fsync(file.number()) == 0;
    }
    bool find(std::int32_t number, std::string& text) override {
        if (DIR* const folder = opendir(folder_.c_str())) closedir(folder);  // a network file system looks anew then
        const std::string path = path_of(number);
        if (!is_private(open_file(path, O_RDONLY), 0)) return false;
        text = read_text(path);
        if (!text.ends_with('\n')) return false;  // it is being written
        text.pop_back();
        return true;
    }
    void withdraw() override { unlink(path_.c_str()); }
    std::string remains() const override { return path_; }

  private:
    std::string path_of(std::int32_t number) const {
        std::array<char, 64> name{};
        std::snprintf(name.data(), name.size(), "/.jaxmpi-sanitize.%016llx.%d",
                      static_cast<unsigned long long>(hash_text(job_)), number);
        return folder_ + name.data();
    }
    const std::string job_ = name_of_job();
    std::string folder_, path_;
};

}  // namespace

std::unique_ptr<Exchange> published(std::int32_t number, const std::string& text, std::string& why) {
    using Way = CoreOptions::Hosts;
    const Way way = process().options.hosts;
    if (way != Way::kFiles)
        if (auto names = std::make_unique<NameService>(); names->publish(number, text)) return names;
    if (way != Way::kNames)
        if (auto files = std::make_unique<Files>(); files->publish(number, text)) return files;
    why = way == Way::kNames   ? "MPI has no name service here"
          : way == Way::kFiles ? "the working directory cannot be written, or the launcher gives the job no name"
                               : "MPI has no name service here, and no file could be left in the working directory";
    return nullptr;
}

}  // namespace jaxmpi
