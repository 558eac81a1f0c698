"""The rules by which a collective put is divided among ranks, as numbers: what mpiio/nodes.c and mpiio/twophase.c do, with
the defaults of their hints. Where those change, these change."""
import math
from dataclasses import dataclass

VOTE = 104                                               # bytes of a vote: 13 numbers
FEW, RANKS_EACH, MOST = 4, 8, 16                         # aggregators of a node
WINDOW, LEAST_WINDOW, MEMORY = 1 << 20, 1 << 15, 8 << 20  # bytes: of a window, of a rank (pcdf_exchange_size)
PIECES, MOST_PIECES, LEAST_PIECES = 1 << 20, 1 << 17, 1 << 9  # listed in a round
SMALL_ALIGN, LARGE_ALIGN = 1 << 16, 1 << 20              # of domains, where no stripes are known
GOOD_WINDOW = 1 << 18                                    # aggregators are so few that theirs are as large


@dataclass
class Shape:
    nodes: int
    per_node: int
    aggregators: int
    window: int         # bytes; 0: none, nothing is exchanged
    memory: float       # bytes a rank
    domains: int        # aggregators that have a stretch of the file
    rounds: int
    writes: int         # of all aggregators, where no byte between first and last is left out
    pairs: int          # of aggregators of one lane, in both directions


def per_node(ranks, nodes):
    most = min(max(math.ceil(ranks / RANKS_EACH), FEW), MOST)
    can = MEMORY * ranks // (4 if nodes > 1 else 2) // nodes // GOOD_WINDOW
    return max(min(most, ranks, can), 1)


def lines(n):
    return (n + 63) // 64 * 64


def windows(ranks_of_node, nodes, aggregators):
    """Bytes of a window, bytes of memory a rank, and how many pieces a rank can list in a round."""
    given = lines(8 * aggregators)
    room = max(min(PIECES // ranks_of_node, MOST_PIECES, (MEMORY // 8 - given) // 8), LEAST_PIECES)
    listed = given + lines(8 * room)
    left = MEMORY * ranks_of_node // 2 - ranks_of_node * listed
    window = min(left // (2 if nodes > 1 else 1) // aggregators // 4096 * 4096, WINDOW)
    window = window if window >= LEAST_WINDOW else 0
    return window, 2 * (aggregators * window / ranks_of_node + listed), room


def shape(ranks, nodes, begin, end, pieces, k=0):
    """How the bytes from `begin` to `end` of a file, of which every rank has `pieces` everywhere, are put. k: aggregators of a
    node; 0: the rule."""
    each_node = ranks // nodes
    k = k or per_node(each_node, nodes)
    total = k * nodes
    window, memory, room = windows(each_node, nodes, total)
    align = LARGE_ALIGN if -(-(end - begin) // total) >= 16 * LARGE_ALIGN else SMALL_ALIGN
    first = begin // align * align
    domain = -(-(-(-(end - first) // total)) // align) * align
    domains = -(-(end - first) // domain)
    rounds = writes = 0
    if window:
        rounds = max(-(-min(domain, end - first) // window), -(-pieces // room))
        full = -(-domain // window)  # windows of a domain
        writes = (domains - 1) * full + -(-(end - first - (domains - 1) * domain) // window)
    return Shape(nodes, k, total, window, memory, domains, rounds, writes, k * nodes * (nodes - 1))


def allreduce_messages(ranks):
    """Of one small MPI_Allreduce by recursive doubling: each of a power of two of the ranks sends log2 of them; the ranks
    beyond send one and get one."""
    power = 1 << (ranks.bit_length() - 1)
    return power * (power.bit_length() - 1) + 2 * (ranks - power)
