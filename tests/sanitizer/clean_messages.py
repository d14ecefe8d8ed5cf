"""Correct programs: messages in every mode."""

from __future__ import annotations

from .cases import Clean

MODES = [
    Clean(
        "every mode of sending",
        """
        MPI.Attach_buffer(np.empty(1 << 20, np.int8))
        if rank % 2 == 0 and rank + 1 < size:
            comm.Send(small, dest=rank + 1)
            comm.Ssend(small, dest=rank + 1)
            comm.Bsend(small, dest=rank + 1)
            comm.Isend(small, dest=rank + 1).Wait()
            comm.Issend(small, dest=rank + 1).Wait()
            comm.Ibsend(small, dest=rank + 1).Wait()
            comm.Recv(space, source=rank + 1, tag=1)
            comm.Rsend(small, dest=rank + 1, tag=2)
        elif rank % 2:
            for _ in range(6):
                comm.Recv(space, source=rank - 1)
            ready = comm.Irecv(space, source=rank - 1, tag=2)
            comm.Send(small, dest=rank - 1, tag=1)
            ready.Wait()
        MPI.Detach_buffer()
        """,
    ),
    Clean(
        "buffered sends first",
        """
        MPI.Attach_buffer(np.empty(1 << 16, np.int8))
        comm.Bsend(small, dest=right)
        comm.Recv(space, source=left)
        MPI.Detach_buffer()
        """,
    ),
    Clean(
        "some of many sends to itself",
        """
        requests = [comm.isend(rank, dest=rank) for _ in range(6)]
        assert all(comm.recv(source=rank) == rank for _ in range(3))
        assert MPI.Request.Waitany(requests) == 0
        MPI.Request.Waitsome(requests)
        assert all(comm.recv(source=rank) == rank for _ in range(3))
        MPI.Request.Waitall(requests)
        """,
    ),
    Clean(
        "a send cancelled and freed before others",
        """
        for _ in range(2):
            request = comm.Issend(small, dest=rank, tag=5)
            request.Cancel()
            status = MPI.Status()
            request.Get_status(status)
            if status.Is_cancelled():
                request.Free()
            else:
                comm.Recv(space, source=rank, tag=5)
                request.Wait()
        for _ in range(3):
            requests = [comm.Isend(small, dest=rank, tag=5) for _ in range(2)]
            comm.Recv(space, source=rank, tag=5)
            comm.Recv(space, source=rank, tag=5)
            MPI.Request.Waitall(requests)
        """,
        ranks=(1, 2),  # alone, MPICH can take a message back
    ),
    Clean(
        "Isend, then receive",
        """
        request = comm.Isend(large, dest=right)
        comm.Recv(much, source=left)
        request.Wait()
        """,
    ),
    Clean(
        "requests completed in every way",
        """
        for complete in ("wait", "test", "all", "any", "some", "testall", "testany", "testsome"):
            spaces = [np.empty(4) for _ in range(3)]
            requests = [comm.Irecv(one, source=left, tag=tag) for tag, one in enumerate(spaces)]
            requests += [comm.Isend(small, dest=right, tag=tag) for tag in range(3)]
            if complete == "wait":
                [request.Wait() for request in requests]
            elif complete == "test":
                while not all([request == MPI.REQUEST_NULL or request.Test() for request in requests]):
                    pass
            elif complete == "all":
                MPI.Request.Waitall(requests)
            elif complete == "any":
                while MPI.Request.Waitany(requests) != MPI.UNDEFINED:
                    pass
            elif complete == "some":
                while MPI.Request.Waitsome(requests) is not None:
                    pass
            elif complete == "testall":
                while not MPI.Request.Testall(requests):
                    pass
            elif complete == "testany":
                while MPI.Request.Testany(requests) != (MPI.UNDEFINED, True):
                    pass
            else:
                while MPI.Request.Testsome(requests) is not None:
                    pass
        """,
    ),
    Clean(
        "lower-case requests",
        """
        requests = [comm.irecv(source=left), comm.isend({"from": rank}, dest=right)]
        assert MPI.Request.waitall(requests)[0] == {"from": left}
        request = comm.isend(rank, dest=right, tag=3)
        assert comm.recv(source=left, tag=3) == left
        request.wait()
        """,
    ),
    Clean(
        "persistent requests",
        """
        send, recv = comm.Send_init(small, dest=right), comm.Recv_init(space, source=left)
        for _ in range(5):
            MPI.Prequest.Startall([recv, send])
            MPI.Request.Waitall([recv, send])
        send.Free()
        recv.Free()
        """,
    ),
    Clean(
        "partitioned",
        """
        data, room = np.ones(8), np.empty(8)
        send, recv = comm.Psend_init(data, 2, dest=right), comm.Precv_init(room, 2, source=left, tag=0)
        for _ in range(2):
            MPI.Prequest.Startall([recv, send])
            send.Pready(1)
            send.Pready(0)
            MPI.Request.Waitall([recv, send])
        send.Free()
        recv.Free()
        """,
    ),
    Clean(
        "Sendrecv around a ring",
        """
        for _ in range(20):
            comm.Sendrecv(small, dest=right, recvbuf=space, source=left)
            comm.Sendrecv_replace(space, dest=left, source=right)
            comm.sendrecv(rank, dest=right, source=left)
        """,
    ),
    Clean(
        "nobody at the edges",
        """
        before = left if rank else MPI.PROC_NULL
        after = right if rank < size - 1 else MPI.PROC_NULL
        comm.Recv(space, source=before)
        comm.Send(small, dest=after)
        comm.Sendrecv(small, dest=after, recvbuf=space, source=before)
        comm.Sendrecv_replace(space, dest=after, source=before)
        comm.Isendrecv_replace(space, dest=after, source=before).Wait()
        comm.Probe(source=MPI.PROC_NULL)
        MPI.Request.Waitall([comm.Irecv(space, source=before), comm.Isend(small, dest=after)])
        """,
    ),
    Clean(
        "to oneself",
        """
        request = comm.Isend(small, dest=rank)
        comm.Recv(space, source=rank)
        request.Wait()
        comm.Sendrecv(small, dest=rank, recvbuf=space, source=rank)
        """,
    ),
    Clean(
        "probes",
        """
        status = MPI.Status()
        request = comm.Isend(np.ones(rank + 1), dest=right, tag=rank)
        comm.Probe(source=left, tag=MPI.ANY_TAG, status=status)
        room = np.empty(status.Get_count(MPI.DOUBLE))
        comm.Recv(room, source=status.source, tag=status.tag)
        request.Wait()
        request = comm.isend("x", dest=right)
        assert comm.mprobe(source=left).recv() == "x"
        request.wait()
        request = comm.Isend(small, dest=right)
        while (message := comm.Improbe(source=left)) is None:
            pass
        message.Irecv(space).Wait()
        request.Wait()
        """,
    ),
    Clean(
        "smaller than the room",
        """
        request = comm.Isend(small[:2], dest=right)
        status = MPI.Status()
        comm.Recv(space, source=left, status=status)
        assert status.Get_count(MPI.DOUBLE) == 2
        request.Wait()
        request = comm.Isend([small, 1, MPI.BYTE], dest=right)
        comm.Recv([space, 32, MPI.BYTE], source=left)
        request.Wait()
        """,
    ),
    Clean(
        "messages of types built in different ways",
        """
        row = MPI.DOUBLE.Create_contiguous(4).Commit()
        column = MPI.DOUBLE.Create_vector(4, 1, 2).Commit()
        request = comm.Isend([small, 1, row], dest=right)
        comm.Recv([np.empty(8), 1, column], source=left)
        request.Wait()
        request = comm.Isend([small, 4, MPI.DOUBLE], dest=right)
        comm.Recv([space, 1, row], source=left)
        request.Wait()
        request = comm.Isend([small, MPI.DOUBLE], dest=right)
        comm.Recv([space, 32, MPI.BYTE], source=left)
        request.Wait()
        row.Free()
        column.Free()
        """,
        notes=("JS000",),
    ),
    Clean(
        "cancelled and freed",
        """
        request = comm.Irecv(space, source=left, tag=99)
        request.Cancel()
        request.Wait()
        request = comm.Isend(small, dest=right)
        request.Free()
        comm.Recv(space, source=left)
        comm.Barrier()
        """,
    ),
    Clean(
        "generalised request",
        """
        request = MPI.Grequest.Start()
        helper = threading.Timer(0.5, request.Complete)
        helper.start()
        request.Wait()
        helper.join()
        comm.Barrier()
        """,
    ),
    Clean(
        "persistent, never started",
        """
        request = comm.Recv_init(space, source=left)
        comm.Barrier()
        request.Free()
        """,
    ),
    Clean(
        "master and workers",
        """
        if rank == 0:
            status, tasks, idle = MPI.Status(), list(range(50)), size - 1
            while idle:
                comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
                task = tasks.pop() if tasks else None
                idle -= task is None
                comm.send(task, dest=status.source)
        else:
            comm.send(None, dest=0)
            while (task := comm.recv(source=0)) is not None:
                comm.send(task, dest=0)
        """,
    ),
    Clean(
        "halo exchange",
        """
        for _ in range(200):
            requests = [comm.Irecv(space, source=left, tag=1), comm.Irecv(np.empty(4), source=right, tag=2)]
            requests += [comm.Isend(small, dest=right, tag=1), comm.Isend(small, dest=left, tag=2)]
            MPI.Request.Waitall(requests)
        """,
    ),
    Clean(
        "one sends first, the other receives first",
        """
        for _ in range(20):
            if rank % 2 == 0:
                comm.Send(large[:100_000], dest=right)
                comm.Recv(much[:100_000], source=left)
            else:
                comm.Recv(much[:100_000], source=left)
                comm.Send(large[:100_000], dest=right)
        """,
    ),
]
