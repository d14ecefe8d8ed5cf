"""Correct programs: ranks that wait long, for good reasons."""

from __future__ import annotations

from .cases import Clean

PATIENCE = [
    Clean(
        "helper thread that sends late",
        """
        def late():
            time.sleep(2)
            comm.Send(small, dest=right)
        helper = threading.Thread(target=late)
        helper.start()
        comm.Recv(space, source=left)
        helper.join()
        """,
    ),
    Clean(
        "helper thread that never called MPI before",
        """
        go = threading.Event()
        def late():
            go.wait()
            comm.send(rank, dest=right)
        helper = threading.Thread(target=late)
        helper.start()
        timer = threading.Timer(1.5, go.set)
        timer.start()
        assert comm.recv(source=left) == left
        helper.join()
        """,
    ),
    Clean(
        "threads at once",
        """
        assert MPI.Query_thread() == MPI.THREAD_MULTIPLE
        def exchange(tag):
            for _ in range(100):
                request = comm.Isend(small, dest=right, tag=tag)
                comm.Recv(np.empty(4), source=left, tag=tag)
                request.Wait()
        threads = [threading.Thread(target=exchange, args=(tag,)) for tag in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        """,
    ),
    Clean(
        "collectives of threads on their own communicators",
        """
        twins = [comm.Dup() for _ in range(3)]
        def reduce(twin):
            for _ in range(50):
                twin.allreduce(1)
        threads = [threading.Thread(target=reduce, args=(twin,)) for twin in twins]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        [twin.Free() for twin in twins]
        """,
    ),
    Clean(
        "polling",
        """
        if rank == 0:
            time.sleep(1.5)
            for peer in range(1, size):
                comm.send("go", dest=peer)
        else:
            while not comm.iprobe(source=0):
                pass
            comm.recv(source=0)
        request = comm.Ibarrier()
        if rank == 1:
            time.sleep(0.5)
        while not request.Test():
            pass
        """,
    ),
    Clean(
        "a timer that sends",
        """
        if rank == 1:
            signal.signal(signal.SIGALRM, lambda *_: None)
            signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        for _ in range(20):
            comm.Barrier()
            time.sleep(0.02 * (rank == 0))
        if rank == 1:
            signal.setitimer(signal.ITIMER_REAL, 0)
        """,
    ),
    Clean(
        "receives posted long before",
        """
        requests = [comm.Irecv(np.empty(4), source=left, tag=tag) for tag in range(20)]
        comm.Barrier()
        time.sleep(0.5 * (rank == 0))
        sends = [comm.Isend(small, dest=right, tag=tag) for tag in reversed(range(20))]
        MPI.Request.Waitall(requests + sends)
        """,
    ),
    Clean(
        "a synchronous send that waits for a slow receiver",
        """
        if rank == 0:
            comm.Ssend(large, dest=1)
        elif rank == 1:
            time.sleep(1.5)
            comm.Recv(much, source=0)
        """,
    ),
    Clean(
        "children of a rank",
        """
        import subprocess
        subprocess.run([sys.executable, "-c", "print('child')"], check=True)
        pid = os.fork() if rank == 1 else None
        if pid == 0:
            os._exit(0)
        if pid:
            os.waitpid(pid, 0)
        comm.Barrier()
        """,
    ),
    Clean(
        "fork whose child exits in the usual way",
        """
        if rank == 1:
            pid = os.fork()
            if pid == 0:
                time.sleep(0.2)
                os.execv("/bin/true", ["true"])
            os.waitpid(pid, 0)
        comm.allreduce(1)
        """,
    ),
]
