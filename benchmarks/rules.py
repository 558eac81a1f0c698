"""The rules by which a collective put is divided among ranks, as numbers: what mpiio/nodes.c, mpiio/twophase.c and
mpiio/internode.c do, with the defaults of their hints. Where those change, these change."""
import math
from dataclasses import dataclass

VOTE = 104                                               # bytes of a vote: 13 numbers
FEW, RANKS_EACH, MOST = 4, 8, 16                         # aggregators of a node
WINDOW, LEAST_WINDOW, MEMORY = 1 << 20, 1 << 15, 8 << 20  # bytes: of a window, of a rank (pcdf_exchange_size)
EACH_NODE, LARGEST, GOOD_WINDOW = 1 << 16, 1 << 30, 1 << 18  # bytes of a window: for each node, at most, good enough
PIECES, MOST_PIECES, LEAST_PIECES = 1 << 20, 1 << 17, 1 << 9  # listed in a step
SMALL_ALIGN, LARGE_ALIGN = 1 << 16, 1 << 20              # of domains, where no stripes are known
HEAD, PIECE, PART, LINE = 24, 8, 24, 64                  # bytes: of a message, of a piece in it, of a part of a list
BUFFERS, SLOTS, MOST_MESSAGE, LEAST_MESSAGE, LEAST_STAGING = 3, 5, 1 << 22, 1 << 14, 1 << 12


@dataclass
class Shape:
    nodes: int
    aggregators: int
    lanes: int          # ranks of a node that speak to other nodes
    window: int         # bytes; 0: none, nothing is exchanged
    memory: float       # bytes a rank
    domains: int        # aggregators that have a stretch of the file
    rounds: int         # of a node
    steps: int          # of a node, in all rounds
    writes: int         # of all aggregators, where no byte between first and last is left out
    sent: int           # messages of pieces between nodes


def lines(n):
    return (n + LINE - 1) // LINE * LINE


def for_windows(ranks, nodes, memory=MEMORY):
    return memory * ranks // 16 * (5 if nodes > 1 else 8)


def best_window(nodes):
    return min(max(nodes * EACH_NODE, WINDOW), LARGEST)


def aggregators(ranks, nodes, k=0):
    """ranks: of a node. k: aggregators of one; 0: the rule."""
    most = k or min(max(math.ceil(ranks / RANKS_EACH), FEW), MOST)
    can = for_windows(ranks, nodes) // 2 // (GOOD_WINDOW if k or nodes == 1 else best_window(nodes))
    return min(max(min(most, ranks, can), 1) * nodes, MEMORY // 16 // PART)


@dataclass
class Memory:
    window: int
    room: int       # pieces that a rank can list in a step
    staging: int    # bytes that it can pack for other nodes
    message: int    # bytes of the longest one
    each: float     # bytes a rank


def memory(ranks, nodes, total, lanes):
    between, buffers = nodes > 1, BUFFERS if nodes > 1 else 2
    here = -(-total // nodes)
    parts = lines(PART * total) + LINE
    room = max(min(PIECES // ranks, MOST_PIECES, (MEMORY // 8 // (buffers if between else 1) - parts) // PIECE), LEAST_PIECES)
    listed = parts + lines(PIECE * room)
    left = for_windows(ranks, nodes) - (0 if between else ranks * listed)
    window = min(left // 2 // here, best_window(nodes)) // 4096 * 4096
    window = window if window >= LEAST_WINDOW else 0
    staging = message = 0
    if between:
        staging = max(min(MEMORY // 16 * 9 // buffers - listed, window) // LINE * LINE, LEAST_STAGING)
        message = max(min(MEMORY * ranks // 8 // lanes // SLOTS, MOST_MESSAGE) // LINE * LINE, LEAST_MESSAGE)
    each = 2 * here * (window + window // 512) / ranks + buffers * (listed + staging)
    if between:
        each += message * SLOTS * lanes / ranks
    return Memory(window, room, staging, message, each)


def shape(ranks, nodes, begin, end, pieces, k=0):
    """How the bytes from `begin` to `end` of a file, of which every rank has `pieces` everywhere, are put. k: aggregators of a
    node; 0: the rule."""
    each_node = ranks // nodes
    total = aggregators(each_node, nodes, k)
    lanes = min(FEW, each_node) if total <= nodes else -(-total // nodes)
    m = memory(each_node, nodes, total, lanes)
    align = LARGE_ALIGN if -(-(end - begin) // total) >= 16 * LARGE_ALIGN else SMALL_ALIGN
    first = begin // align * align
    domain = -(-(-(-(end - first) // total)) // align) * align
    domains = -(-(end - first) // domain)
    rounds = steps = writes = sent = 0
    length = min(domain, end - first)
    for window in [m.window] * (length // m.window) + [length % m.window] if m.window else []:
        if window == 0:
            continue
        rounds += 1
        part, part_pieces = window / ranks, window / (end - begin) * pieces  # of a rank in a window
        fits = max(part_pieces * domains / m.room, 1)
        if nodes > 1:
            fits = max(fits, part * domains * (1 - 1 / nodes) / m.staging, part / (m.message / 2),
                       part_pieces * 2 * PIECE / m.message)
        in_each = math.ceil(fits)  # steps of a round
        steps += in_each
        if nodes > 1:
            of_rank = part + PIECE * part_pieces
            ranks_each = max(int((m.message - HEAD) // (of_rank / in_each)), 1)  # whose parts one message has
            sent += domains * (nodes - 1) * in_each * -(-each_node // ranks_each)
    if m.window:
        full = -(-domain // m.window)  # windows of a domain
        last = -(-(end - first - (domains - 1) * domain) // m.window)
        writes = (domains - 1) * full + last
        sent = sent * writes // (domains * full)
    return Shape(nodes, total, lanes, m.window, m.each, domains, rounds, steps, writes, sent)


def allreduce_messages(ranks):
    """Of one small MPI_Allreduce by recursive doubling: each of a power of two of the ranks sends log2 of them; the ranks
    beyond send one and get one."""
    power = 1 << (ranks.bit_length() - 1)
    return power * (power.bit_length() - 1) + 2 * (ranks - power)


def barrier_messages(ranks):
    """Of one MPI_Barrier: of few ranks all tell one, which answers; else each rank tells the ranks 1, 2, 4 ... further."""
    return 2 * (ranks - 1) if ranks <= 4 else ranks * math.ceil(math.log2(ranks))


def alltoall_messages(nodes):
    """Of one MPI_Alltoall of 8 bytes: of many by Bruck's way, of few each with each."""
    return nodes * math.ceil(math.log2(nodes)) if nodes > 12 else nodes * (nodes - 1)
