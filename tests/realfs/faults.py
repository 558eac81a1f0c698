"""What happens to a system while a job of all clients writes (faultjob), and what must be true of the file afterwards: what a
sync acknowledged is there, with its values; the job ends or goes on; the next job opens the file."""
import random
import re
import threading
import time


class Job:
    """A job that runs meanwhile: its output as it comes, its exit status at the end (None: it had to be killed)."""

    def __init__(self, jobs, words, place):
        self.jobs, self.pieces, self.status, self.begun = jobs, [], None, time.time()
        env = dict(jobs.environment, PNETCDF_HINTS="")
        self.thread = threading.Thread(target=self.work, args=(jobs.system.clients[0], words, env, place), daemon=True)
        self.thread.start()

    def work(self, client, words, env, place):
        try:
            self.status = client.run(words, self.jobs.seconds, env, place, self.pieces.append)[0]
        except OSError as e:
            self.pieces.append(f"{e}\n".encode())

    def text(self):
        return b"".join(self.pieces).decode(errors="replace")

    def acknowledged(self):
        return max((int(n) for n in re.findall(r"^acknowledged (\d+)", self.text(), re.M)), default=0)

    def wait_for(self, number, seconds=240):
        """Until so many records were acknowledged. False: they were not."""
        end = time.time() + seconds
        while self.acknowledged() < number and self.thread.is_alive() and time.time() < end:
            time.sleep(0.05)
        return self.acknowledged() >= number

    def end(self, seconds):
        """Waits for its end; whether it ended by itself."""
        self.thread.join(seconds)
        return not self.thread.is_alive()


def words_of(build, ranks, *arguments, host=None):
    return ["mpiexec.openmpi", *(["--host", f"{host}:{ranks}"] if host else []), "-n", str(ranks),
            f"{build}/tests/bin/faultjob", *map(str, arguments)]


def check(jobs, build, ranks, place, least, host=None):
    """Sentences on what the next job finds wrong, and what it said."""
    status, text = jobs.run(words_of(build, ranks, "fault.nc", "check", least, host=host), place)
    said = next((line for line in text.splitlines() if line.startswith("check:")), text.strip()[-300:])
    return ([] if status == 0 else [f"{'on ' + host if host else 'on all clients'}: exit status {status}, {said}"]), text


def kill_client(jobs, build, ranks, place, mode):
    """The second client goes without a word. A job on the first one opens the file at once; one on both, when it is back."""
    job = Job(jobs, words_of(build, ranks, "fault.nc", mode, 300), place)
    bad = [] if job.wait_for(2) else ["nothing was acknowledged before the kill"]
    time.sleep(random.random())
    victim = jobs.system.clients[1]
    jobs.system.kill_client(victim)
    ended = job.end(10)
    jobs.system.clients[0].sweep()
    job.end(20)
    begun = time.time()
    wrong, said = check(jobs, build, ranks, place, job.acknowledged(), jobs.system.clients[0].name)
    bad += wrong
    told = f"{job.acknowledged()} acknowledged; {'' if ended else 'job swept; '}opened after {time.time() - begun:.1f} s"
    jobs.system.start_client(victim)
    victim.wait(240)
    wrong, more = check(jobs, build, ranks, place, job.acknowledged())
    return bad + wrong, told, job.text() + said + more


def disturb(jobs, build, ranks, place, mode, seconds, harm, may_fail=False):
    """harm() while a job writes; the job must go on, or say that it failed, and end; what it acknowledged is there."""
    job = Job(jobs, words_of(build, ranks, "fault.nc", mode, seconds), place)
    bad = [] if job.wait_for(2) else ["nothing was acknowledged before"]
    before = job.acknowledged()
    try:
        harm()
        if not job.end(seconds + 120):
            bad.append("the job has no end")
            jobs.sweep()
            job.end(20)
    finally:
        jobs.system.drain()
    if job.status not in ((0, 3) if may_fail else (0,)):
        bad.append(f"the job ended with {job.status}")
    wrong, said = check(jobs, build, ranks, place, job.acknowledged())
    failed = re.search(r"^failed (-?\d+)", job.text(), re.M)
    told = f"{before} acknowledged before, {job.acknowledged()} in all{', then error ' + failed[1] if failed else ''}"
    return bad + wrong, told, job.text() + said


def restart(system):
    system.stop_server()
    time.sleep(2)
    system.start_server()


def cases(system):
    """{name: what does it, of (jobs, build, ranks, place)}"""
    found = {f"kill_client.{mode}": (lambda *a, m=mode: kill_client(*a, m)) for mode in ("put", "sync", "redef")}
    for mode in ("put", "redef"):
        found[f"cut_1s.{mode}"] = lambda *a, m=mode: disturb(*a, m, 20, lambda: system.cut(1))
        found[f"cut_60s.{mode}"] = lambda *a, m=mode: disturb(*a, m, 80, lambda: system.cut(60))
        found[f"server_restarts.{mode}"] = lambda *a, m=mode: disturb(*a, m, 60, lambda: restart(system))
        found[f"full.{mode}"] = lambda *a, m=mode: disturb(*a, m, 60, system.fill, may_fail=True)
    return found
