// A lower-case method of mpi4py that informs the core when it begins and ends. It looks and behaves like the method it
// wraps: signature, documentation, pickling, binding to an instance.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <structmember.h>

#include <algorithm>

#include "bindings.hpp"
#include "labels.hpp"
#include "pickled.hpp"
#include "thread.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

// From mpi4py's own C interface: the address of the MPI handle in a Python object, nullptr with an exception.
using HandleOf = void* (*)(PyObject*);

struct Interface {
    HandleOf comm = nullptr;
    HandleOf op = nullptr;
    Word sum = 0;
};
Interface interface;

struct Method {
    PyObject_HEAD;
    vectorcallfunc call;
    PyObject* wrapped;
    std::uint32_t label;
};

Word handle_in(HandleOf read, PyObject* object) {
    void* at = read(object);
    if (at != nullptr) return load_handle(at);
    PyErr_Clear();
    return 0;
}

PyObject* argument(PyObject* const* arguments, Py_ssize_t count, PyObject* names, Py_ssize_t position,
                   const char* name) {
    if (position < count) return arguments[position];
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
    for (Py_ssize_t i = 0; i < named; ++i)
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), name) == 0) return arguments[count + i];
    return nullptr;
}

bool enter(const Method& method, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count < 1 || process().phase.load(std::memory_order_relaxed) != Phase::kActive ||
        process().process != own_process())
        return false;
    const Label& label = kLabels[method.label];
    const Word comm = handle_in(interface.comm, arguments[0]);
    std::int32_t root = kNobody;
    if (label.root >= 0) {
        PyObject* given = argument(arguments, count, names, label.root, "root");
        root = given == nullptr ? 0 : static_cast<std::int32_t>(PyLong_AsLong(given));
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return false;
        }
    }
    Word op = 0;
    if (label.op >= 0) {
        PyObject* given = argument(arguments, count, names, label.op, "op");
        op = given == nullptr ? interface.sum : handle_in(interface.op, given);
        if (op == 0) op = kPythonFunction;
    }
    return enter_pickled(method.label, label.function, comm, root, op);
}

PyObject* call_method(PyObject* self, PyObject* const* arguments, std::size_t flags, PyObject* names) {
    const Method& method = *reinterpret_cast<Method*>(self);
    const bool entered = enter(method, arguments, PyVectorcall_NARGS(flags), names);
    PyObject* result = PyObject_Vectorcall(method.wrapped, arguments, flags, names);
    if (entered) leave_pickled(result == nullptr);
    return result;
}

PyObject* bind_to_instance(PyObject* self, PyObject* instance, PyObject*) {
    return instance == nullptr || instance == Py_None ? Py_NewRef(self) : PyMethod_New(self, instance);
}

// Everything but its own machinery is the wrapped method's.
PyObject* get_attribute(PyObject* self, PyObject* name) {
    constexpr std::array<const char*, 6> kOwn{"__wrapped__", "__get__",    "__call__",
                                              "__class__",   "__reduce__", "__reduce_ex__"};
    const auto is_name = [name](const char* own) { return PyUnicode_CompareWithASCIIString(name, own) == 0; };
    if (!std::ranges::any_of(kOwn, is_name)) {
        if (PyObject* found = PyObject_GetAttr(reinterpret_cast<Method*>(self)->wrapped, name)) return found;
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return nullptr;
        PyErr_Clear();
    }
    return PyObject_GenericGetAttr(self, name);
}

PyObject* show(PyObject* self) { return PyObject_Repr(reinterpret_cast<Method*>(self)->wrapped); }

PyObject* reduce(PyObject* self, PyObject*) {
    return PyObject_GetAttrString(reinterpret_cast<Method*>(self)->wrapped, "__qualname__");
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(reinterpret_cast<Method*>(self)->wrapped);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

int clear(PyObject* self) {
    Py_CLEAR(reinterpret_cast<Method*>(self)->wrapped);
    return 0;
}

void deallocate(PyObject* self) {
    PyObject_GC_UnTrack(self);
    clear(self);
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Method, call), READONLY, nullptr},
    {"__wrapped__", T_OBJECT_EX, offsetof(Method, wrapped), READONLY, nullptr},
    {},
};
PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};

template <class F>
void* slot(F function) {
    return reinterpret_cast<void*>(function);
}

PyType_Slot slots[] = {
    {Py_tp_call, slot(&PyVectorcall_Call)},
    {Py_tp_descr_get, slot(&bind_to_instance)},
    {Py_tp_getattro, slot(&get_attribute)},
    {Py_tp_repr, slot(&show)},
    {Py_tp_traverse, slot(&traverse)},
    {Py_tp_clear, slot(&clear)},
    {Py_tp_dealloc, slot(&deallocate)},
    {Py_tp_members, members},
    {Py_tp_methods, methods},
    {0, nullptr},
};
PyType_Spec spec{"jaxmpi_lint.runtime._native.PickledMethod", sizeof(Method), 0,
                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
                 slots};

HandleOf from_capsule(const nb::dict& capsules, const char* name) {
    const nb::object capsule = capsules[name];
    void* pointer = PyCapsule_GetPointer(capsule.ptr(), PyCapsule_GetName(capsule.ptr()));
    if (pointer == nullptr) throw nb::python_error();
    return reinterpret_cast<HandleOf>(pointer);
}

// `name` is "Comm.bcast", `owner` the type whose dictionary has the method.
bool wrap_pickled(const nb::handle& owner, const std::string& name) {
    static PyObject* const method_type = PyType_FromSpec(&spec);
    const std::uint32_t label = label_of(name);
    PyTypeObject* type = reinterpret_cast<PyTypeObject*>(owner.ptr());
    const nb::str key(name.c_str() + name.find('.') + 1);
    PyObject* wrapped = PyDict_GetItemWithError(type->tp_dict, key.ptr());
    if (label == 0 || method_type == nullptr || wrapped == nullptr) return false;
    auto* method = reinterpret_cast<Method*>(PyType_GenericAlloc(reinterpret_cast<PyTypeObject*>(method_type), 0));
    if (method == nullptr) throw nb::python_error();
    method->call = &call_method;
    method->wrapped = Py_NewRef(wrapped);
    method->label = label;
    const nb::object owned = nb::steal(reinterpret_cast<PyObject*>(method));
    if (PyDict_SetItem(type->tp_dict, key.ptr(), owned.ptr()) != 0) throw nb::python_error();
    PyType_Modified(type);
    return true;
}

std::vector<std::string> pickled_methods() {
    std::vector<std::string> names;
    for (const Label& label : kLabels)
        if (label.function != Function::kNothing) names.emplace_back(label.name);
    return names;
}

}  // namespace

void bind_pickled(nb::module_& m) {
    m.def("read_handles", [](const nb::dict& capsules, const nb::handle& sum) {
        interface.comm = from_capsule(capsules, "PyMPIComm_Get");
        interface.op = from_capsule(capsules, "PyMPIOp_Get");
        interface.sum = handle_in(interface.op, sum.ptr());
    });
    m.def("wrap_pickled", &wrap_pickled);
    m.def("pickled_methods", &pickled_methods);
}

}  // namespace jaxmpi
