"""Which code reports which fault: a table of events and causes, and of the kinds of values that decide."""

from __future__ import annotations

from enum import StrEnum

from jaxmpi_lint.interpreter.verdicts import Kind


class Shape(StrEnum):
    """The shape of the control flow at which ranks diverge."""

    BRANCH = "branch"
    CALL = "call"
    EXIT = "exit"
    LOOP = "loop"
    SHORT_CIRCUIT = "short-circuit"
    RAISE = "raise"
    HANDLER = "handler"
    SKIPPED = "skipped"
    GENERATOR = "generator"
    MISMATCH = "mismatch"


OF_SHAPE: dict[Shape, str] = {
    Shape.BRANCH: "JM101",
    Shape.CALL: "JM105",
    Shape.EXIT: "JM102",
    Shape.LOOP: "JM108",
    Shape.SHORT_CIRCUIT: "JM114",
    Shape.RAISE: "JM103",
    Shape.HANDLER: "JM106",
    Shape.SKIPPED: "JM107",
    Shape.GENERATOR: "JM115",
    Shape.MISMATCH: "JM104",
}
"""Codes of collectives that only some ranks reach."""

OF_TAG: dict[str, str] = {
    "files": "JM109",
    "clock": "JM112",
    "random": "JM804",
    "cache": "JM111",
    "order": "JM801",
    "hash": "JM803",
    "received": "JM113",
    "data": "JM113",
    "machine": "JM113",
}
"""Codes by the kind of a value that belongs to one process, where the divergence depends on one."""

OF_KIND: dict[Kind, str] = {
    Kind.ROOT: "JM119",
    Kind.GROUP_ROOT: "JM119",
    Kind.ROOT_RANGE: "JM119",
    Kind.ROOT_VALUE: "JM126",
    Kind.UNSET_ROOT: "JM126",
    Kind.OPERATOR: "JM120",
    Kind.COUNT: "JM121",
    Kind.OWN_COUNT: "JM121",
    Kind.COUNT_OF_SOME: "JM121",
    Kind.UNEXCHANGED: "JM121",
    Kind.DTYPE: "JM121",
    Kind.NEIGHBOURS: "JM121",
    Kind.LIST_LENGTH: "JM122",
    Kind.CROSSED: "JM123",
    Kind.MESSAGE_TYPE: "JM202",
    Kind.NO_BUFFER: "JM203",
    Kind.NOT_WHOLE: "JM218",
    Kind.STRIDED_BUFFER: "JM207",
    Kind.REPEATED_SUM: "JM212",
    Kind.RECEIVED_COPY: "JM213",
    Kind.UNPICKLABLE: "JM216",
    Kind.OPERAND: "JM217",
    Kind.JOINED: "JM217",
    Kind.MEMORY_ORDER: "JM214",
    Kind.BLOCK_ORDER: "JM214",
    Kind.ARRAY_OPERAND: "JM215",
    Kind.REQUEST: "JM301",
    Kind.REQUEST_BUFFER: "JM302",
    Kind.BUFFERING: "JM304",
    Kind.SELF: "JM305",
    Kind.PEER: "JM306",
    Kind.DEADLOCK: "JM311",
    Kind.UNMATCHED_RECEIVE: "JM312",
    Kind.UNMATCHED_SEND: "JM313",
    Kind.TAG: "JM314",
    Kind.SWAPPED: "JM314",
    Kind.OTHER_SENDER: "JM322",
    Kind.ECHO: "JM323",
    Kind.ITEM_ORDER: "JM801",
    Kind.TRUNCATION: "JM315",
    Kind.INVALID_TAG: "JM316",
    Kind.REQUEST_STATE: "JM317",
    Kind.ANSWER: "JM319",
    Kind.BOUND_BUFFER: "JM317",
    Kind.FREED: "JM413",
    Kind.COLOURS: "JM417",
    Kind.NULL: "JM414",
    Kind.EPOCH: "JM901",
    Kind.UNIT: "JM902",
    Kind.LOST_UPDATE: "JM901",
    Kind.EXPOSED: "JM901",
    Kind.NAME: "JM611",
    Kind.INITIALIZE: "JM612",
    Kind.NUMBER_ON_NODE: "JM612",
    Kind.VALUE: "JM621",
    Kind.REPLICA: "JM621",
    Kind.FETCH: "JM622",
    Kind.LOCAL_AVERAGE: "JM623",
    Kind.SOURCES: "JM624",
    Kind.CALLBACK: "JM625",
    Kind.LONE_VALUE: "JM124",
    Kind.STALE: "JM125",
    Kind.STALE_PERHAPS: "JM125",
    Kind.FILE_CHANGED: "JM411",
    Kind.FILE_ORDER: "JM418",
    Kind.FILE_PARTS: "JM411",
    Kind.OWN_PATH: "JM805",
    Kind.SOUGHT_PATH: "JM805",
    Kind.SAME_DRAWS: "JM807",
    Kind.OWN_STEP: "JM221",
    Kind.OWN_PARAMETERS: "JM808",
    Kind.OWN_SHARE: "JM804",
}
"""Codes of the other faults."""

LAUNCHES: dict[Shape, str] = {Shape.LOOP: "JM605"}
"""Codes of launches by the shape; JM604 for the others."""

MESSAGES: dict[str, str] = {
    "JM101": "{who} this {event}",
    "JM102": "{who} this {event}: {others} before it",
    "JM103": "only {raisers} this exception: {waiting} in {event}",
    "JM104": "{mine}, but {theirs}",
    "JM105": "{who} this call, which executes {event}",
    "JM106": "only the ranks on which the `try` body fails reach this {event}: the others skip it",
    "JM107": "a rank on which the `try` body fails skips this {event}: the others wait for it",
    "JM108": "{event} in a loop whose trip count depends on the rank",
    "JM109": "execution of {event} depends on file-system state that each process reads separately",
    "JM111": "execution of {event} depends on the contents of a per-process cache",
    "JM112": "execution of {event} depends on the clock of each process",
    "JM113": "execution of {event} depends on data that differs between processes",
    "JM114": "{who} this {event} in an expression that is evaluated conditionally",
    "JM115": "{who} this {event} after the last `yield` of the generator",
    "JM119": "the root of this {event} is not the same valid rank on all ranks: {detail}",
    "JM120": "the ranks call this {event} with different reduction operators: {detail}",
    "JM121": "the ranks call this {event} with buffers that do not fit: {detail}",
    "JM122": "the list passed to this {event} does not have one element for each rank: {detail}",
    "JM123": "{mine}, while {theirs}: each waits for the other communicator",
    "JM124": "{detail}",
    "JM125": "{detail}",
    "JM126": "the root of this {event} does not have the value: {detail}",
    "JM202": "this {event} and its peer use different kinds of messages: {detail}",
    "JM203": "this {event} fails: {detail}",
    "JM218": "this {event} raises `TypeError`: {detail}",
    "JM207": "this {event} raises `BufferError`: {detail}",
    "JM212": "{detail}",
    "JM213": "{event} receives into `{detail}`, a copy that nothing refers to: the data is lost",
    "JM214": "the buffer of this {event} is in a different order than its indices: {detail}",
    "JM215": "this {event} raises `ValueError`: {detail}",
    "JM216": "this {event} raises an exception: {detail}",
    "JM217": "this {event} raises `TypeError`: {detail}",
    "JM301": "the request of this {event} is never completed",
    "JM302": "the buffer of this {event} is used before the request is completed",
    "JM304": "the ranks send before they receive: this {event} blocks unless MPI buffers the message",
    "JM305": "rank {rank} waits in this {event} for itself{unless}",
    "JM306": "the peer of this {event} does not exist: {detail}",
    "JM311": "deadlock: {cycle}",
    "JM312": "no rank sends the message that rank {rank} waits for in this {event}",
    "JM313": "no rank receives the message that rank {rank} sends in this {event}",
    "JM314": "rank {rank} waits in this {event} for a message whose tag or source does not match: {detail}",
    "JM315": "the message is longer than the buffer of this {event}: {detail}",
    "JM316": "the tag of this {event} is invalid: {detail}",
    "JM322": "this {event} takes the message of any rank, which may be one that does not fit: {detail}",
    "JM323": "this {event} sends a part of an array back as it was received: {detail}",
    "JM317": "the request is not in the state that this {event} requires: {detail}",
    "JM319": "the pair that this {event} returns is used as a condition, which is always true",
    "JM411": "{detail}, and nothing orders the two",
    "JM413": "{event} on a communicator that is already freed",
    "JM414": "{event}: rank {rank} is not a member of the communicator",
    "JM417": "this {event} makes a separate communicator for each rank: {detail}",
    "JM418": "{detail}, and nothing orders the two",
    "JM601": "{who} this {event}",
    "JM604": "{who} this {event}, which all processes must launch",
    "JM605": "{event} in a loop whose trip count depends on the process",
    "JM611": "the processes call this {event} with different names: {detail}",
    "JM612": "the processes do not initialize JAX once and consistently: {detail}",
    "JM621": "the processes pass different values to this {event}: {detail}",
    "JM622": "this {event} raises `RuntimeError`: parts of the array are on devices of other processes",
    "JM623": "{detail}",
    "JM624": "{detail}",
    "JM625": "this {event} raises `ValueError`: {detail}",
    "JM801": "set iteration order differs between processes, so the ranks diverge before this {event}",
    "JM803": "execution of {event} depends on `hash()`, which is salted differently in every process",
    "JM804": "{event} depends on a per-process random number",
    "JM805": "{detail}",
    "JM807": "{detail}",
    "JM221": "{detail}",
    "JM808": "{detail}",
    "JM901": "{detail}",
    "JM902": "{detail}",
}
"""The message of each code; `story` fills in the parts."""

MESSAGES_OF_KIND: dict[Kind, str] = {
    Kind.GROUP_ROOT: "the roots of this {event} do not fit: {detail}",
    Kind.NEIGHBOURS: "the ranks call this {event} with neighbours that do not fit: {detail}",
    Kind.SWAPPED: "this {event} takes a message that is meant for another receive: {detail}",
    Kind.BOUND_BUFFER: "{detail}",
    Kind.ITEM_ORDER: "ranks take the items of this set in different orders, so that their calls do not belong together",
    Kind.BLOCK_ORDER: "this {event} sends blocks in a different order than their indices: {detail}",
    Kind.OWN_SHARE: "{detail}",
    Kind.JOINED: "this {event} joins {detail}",
}
"""The message of faults whose code has a different one."""

OF_OWN_TEST = "each rank tests a per-process value here, and the messages do not meet: {}"
"""The message about messages that wait for a rank which has left a loop by a test of data of one rank."""

REMEDIES: dict[str, str] = {
    "JM101": "move the call out of the branch, or add a matching call to the other branch",
    "JM102": "guard only the local work, so that every rank reaches the call",
    "JM103": "broadcast the failure and raise on all ranks, or call `Abort`",
    "JM104": "make the same calls in the same order on all ranks",
    "JM105": "call it on all ranks and guard only the local work",
    "JM106": "set a flag in the handler, combine the flags of all ranks after the `try`, then branch on the result",
    "JM107": "move the collective after the `try`, so that every rank executes it",
    "JM108": "move the call out of the loop, or make the trip count the same on all ranks",
    "JM109": "test on one process and broadcast the result",
    "JM111": "combine the lookup results of all processes, then branch on the result",
    "JM112": "test on one process and broadcast the result",
    "JM113": "combine the answers of all processes before the test",
    "JM114": "make the call in a separate statement before the expression",
    "JM115": "exhaust the generator on all ranks, or call the collective after the loop that consumes it",
    "JM119": "pass the same root on all ranks",
    "JM120": "pass the same operator on all ranks",
    "JM121": "pass buffers of the same count and dtype on all ranks, and a receive buffer that is large enough",
    "JM122": "pass a list with as many elements as the communicator has ranks",
    "JM123": "use the communicators in the same order on all ranks",
    "JM124": "broadcast the value first, or use it only on the ranks that have it",
    "JM125": "broadcast the new value before the other ranks compute with it",
    "JM126": "name the rank that has the value as the root, on all ranks",
    "JM202": "use lower-case methods on both sides, or upper-case methods with the same dtype",
    "JM203": "use the lower-case method, or pass a numpy array",
    "JM218": "divide with `//`, or make the array with `dtype=int`",
    "JM207": "pass `np.ascontiguousarray(...)` to send, and receive into a new array",
    "JM212": "use the first sum, or count from zero after each sum",
    "JM213": "receive into an array with a name, and assign it to the part afterwards",
    "JM214": "pass `np.ascontiguousarray(...)` of the view",
    "JM215": "call the upper-case method, which compares element by element",
    "JM216": "send what the object is made from, and make it again on the other ranks",
    "JM217": "gather the objects and combine them, or pass numbers or arrays",
    "JM301": "keep the request and call `wait` on it",
    "JM302": "call `wait` before the buffer is used again",
    "JM304": "use `Sendrecv`, or `Isend` and `Waitall`, or let half of the ranks receive first",
    "JM305": "skip the message to itself, or use `Sendrecv`",
    "JM306": "test the border, compute the peer modulo the size, or use `MPI.PROC_NULL`",
    "JM311": "reorder the calls so that one of the ranks does not wait, or use `Sendrecv`",
    "JM312": "add the send, or remove the receive",
    "JM313": "add the receive, or remove the send",
    "JM314": "use the same tag on both sides, and the rank of the sender as the source",
    "JM315": "allocate a receive buffer that is as large as the message",
    "JM316": "use a tag between 0 and `MPI.TAG_UB`",
    "JM322": "receive from the rank that sent the first part, `status.Get_source()`",
    "JM323": "send the border that this rank has computed, which lies beside the ghost cells",
    "JM317": "start a persistent request once before each `Wait`",
    "JM319": "unpack the pair, or call `Test`: `done, message = request.test()`",
    "JM411": "let one rank do it and call `Barrier` before the others use the file, or use a path with the rank",
    "JM413": "free the communicator after its last use",
    "JM414": "return early on ranks that are not members of the communicator",
    "JM417": "pass the colour first, which is the group, and then the key, which orders its ranks",
    "JM418": "call `Barrier` on a communicator of both ranks between the two, or broadcast what one rank reads",
    "JM601": "call it on every process and guard only the per-process work",
    "JM604": "launch it on every process and guard only the use of its result",
    "JM605": "run the same number of steps on every process",
    "JM611": "use a name that is computed alike on every process",
    "JM612": "call `jax.distributed.initialize` once on every process, with its own process id",
    "JM621": "broadcast the value from one process first",
    "JM622": "call `multihost_utils.process_allgather(array, tiled=True)` on all processes, or read the own shards",
    "JM623": "divide by `jax.device_count()`, or use `jax.lax.pmean`",
    "JM624": "gather first which processes have the value, and take one of them: `jax.process_index() == chosen`",
    "JM625": "subtract the position of the first own element from the bounds, or index the whole array",
    "JM801": "iterate over `sorted(...)`",
    "JM803": "compute it from the content, or broadcast it",
    "JM804": "draw the number on one process and broadcast it",
    "JM805": "compute the path on one rank and broadcast it",
    "JM808": "broadcast the parameters from one rank before the first step",
    "JM221": "combine the values of all ranks with `comm.allreduce` (`MPI.MAX` or `MPI.MIN`)",
    "JM807": "seed the generator of each rank differently: `numpy.random.default_rng([seed, comm.rank])`",
    "JM902": "pass `disp_unit=array.itemsize` where the window is made",
    "JM901": "open and close the epoch on the ranks that the operation requires",
}
"""The remedy of each code."""

REMEDY_OF_OWN_COUNT = "gather the counts first and use `Gatherv` or `Allgatherv`, or make the counts equal on all ranks"
"""The remedy of buffers whose number of elements depends on the data of each rank."""

REMEDY_OF_SHAPE = "gather the lengths first, and fill the arrays up to the largest one"
REMEDY_OF_TREES = "pass values of the same structure, shapes and dtypes on all processes, such as zeros on the others"
"""The remedy of arrays that functions of JAX take, and that differ in shape between the processes."""

REMEDY_OF_UNEXCHANGED = "let the ranks exchange the counts first: `comm.Alltoall(counts, expected)`"
"""The remedy of counts that are used for both directions."""

REMEDY_OF_LOST_UPDATE = "use `Fetch_and_op` or `Accumulate`, or lock with `MPI.LOCK_EXCLUSIVE`"
"""The remedy of a `Get` and a `Put` that several ranks make at the same time."""

REMEDY_OF_EXPOSED = "call `Fence` between the operations of the others and the use of the memory"
"""The remedy of memory that is used in the epoch in which others change it."""

REMEDY_OF_FILE_PARTS = "start each part where those of the lower ranks end: `comm.exscan` of the lengths says where"
"""The remedy of parts of a file that overlap."""

REMEDY_OF_GROUP_ROOT = (
    "pass `MPI.ROOT` on the root, `MPI.PROC_NULL` on the other ranks of its group, and the root's number on the others"
)
"""The remedy of roots of an intercommunicator that do not fit."""

REMEDY_OF_NEIGHBOURS = "let both ends name each edge: the one as a destination, the other one as a source"
"""The remedy of a graph with an edge that only one of its ends names."""

REMEDY_OF_SWAPPED = "use one tag for each direction"
"""The remedy of messages between two ranks that are both neighbours of each other."""

REMEDY_OF_OWN_SHARE = "give the generator the same seed on all ranks, or draw on one rank and broadcast"
"""The remedy of shares of a random order."""

REMEDY_OF_BOUND_BUFFER = "copy the new values into the array of the request, or make requests for each of the arrays"
"""The remedy of a persistent request whose array the program has exchanged for another one."""

REMEDY_OF_JOINED = "pass a numpy array, whose elements are added"
"""The remedy of lists whose items are to be summed."""

REMEDY_OF_BLOCK_ORDER = "reshape to `(rows, size, columns // size)`, and exchange the first two axes"
"""The remedy of blocks of columns that a reshape is meant to make."""

REMEDY_OF_OWN_TEST = "combine the values of all ranks with `allreduce` before the test, so that all decide alike"
"""The remedy of messages that wait for a rank which has left a loop by a test of data of one rank."""

REMEDY_OF_NAME = "define or import the name"
"""The remedy of JM103 where a rank uses a name that nothing defines."""

REMEDY_OF_NONE = "broadcast the value first, or use it only on the ranks that have it"
"""The remedy of JM103 where an operation fails because its operand is None on some ranks."""
