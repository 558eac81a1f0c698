"""The rules by which a collective put is divided among ranks, as numbers: what nodes.c, hops.c, twophase.c, internode.c and
relay.c of mpiio do, with the defaults of their hints. Where those change, these change."""
import math
from dataclasses import dataclass

VOTE = 104                                               # bytes of a vote: 13 numbers
FEW, RANKS_EACH, MOST = 4, 8, 16                         # aggregators of a node
WINDOW, LEAST_WINDOW, MEMORY = 1 << 20, 1 << 15, 8 << 20  # bytes: of a window, of a rank (pcdf_exchange_size)
EACH_NODE, LARGEST, GOOD_WINDOW = 3 << 15, 1 << 30, 1 << 18  # bytes of a window: for each node, at most, good enough
LEAST_EACH, HOP_MESSAGE, HOPS_MOST, NEIGHBOURS = 9 << 13, 1 << 16, 8, 2048  # where nodes forward, and how
PIECES, MOST_PIECES, LEAST_PIECES = 1 << 20, 1 << 17, 1 << 9  # listed in a step
SMALL_ALIGN, LARGE_ALIGN = 1 << 16, 1 << 20              # of domains, where no stripes are known
HEAD, PIECE, PART, LINE = 24, 8, 24, 64                  # bytes: of a message, of a piece in it, of a part of a list
SECTION, REQUEST, LISTS = 20, 8, 4                       # bytes: before a rank's pieces, of an MPI_Request; tables by aggregator
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
    levels: list        # where nodes forward: of each level the groups, nodes of a column, messages of all nodes in a step


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
    return min(max(min(most, ranks, can), 1) * nodes, MEMORY // 14 // PART)


def of_lane(nodes, total, lanes, hops):
    """Aggregators of a lane that a node sends to directly."""
    most = total // lanes + 1 if total <= nodes else nodes
    return min(most, NEIGHBOURS) if hops else most


def tables(ranks, nodes, total, lanes, hops):
    """Bytes a rank of what grows with nodes and aggregators."""
    lane = 8 * nodes + of_lane(nodes, total, lanes, hops) * (BUFFERS * (HEAD + REQUEST) + REQUEST)
    return LISTS * 8 * total + (lanes * lane + 8 * total) // ranks


@dataclass
class Memory:
    window: int
    room: int       # pieces that a rank can list in a step
    staging: int    # bytes that it can pack for other nodes
    message: int    # bytes of the longest one
    each: float     # bytes a rank


def memory(ranks, nodes, total, lanes, hops=False):
    between, buffers = nodes > 1, BUFFERS if nodes > 1 else 2
    here = -(-total // nodes)
    fixed = tables(ranks, nodes, total, lanes, hops) if between else 0
    given = MEMORY - fixed
    parts = lines(PART * total) + LINE
    listed = max(given // 8 // (buffers if between else 1) - parts, given // 64) // PIECE
    room = max(min(PIECES * (1 + between) // ranks, MOST_PIECES, listed), LEAST_PIECES)
    listed = parts + lines(PIECE * room)
    left = for_windows(ranks, nodes, given) - (0 if between else ranks * listed)
    window = min(left // 2 // here, best_window(nodes)) // 4096 * 4096
    window = window if window >= LEAST_WINDOW else 0
    staging = message = 0
    each = fixed + 2 * here * (window + window // 512) / ranks
    if between:
        staging = max(min(given // 16 * 9 // buffers - listed, window) // LINE * LINE, LEAST_STAGING)
        message = max(min(given * ranks // 8 // lanes // SLOTS, MOST_MESSAGE) // LINE * LINE, LEAST_MESSAGE)
        each += max(message * SLOTS, 0 if hops else 16 * nodes) * lanes / ranks
    return Memory(window, room, staging, message, each + buffers * (listed + staging))


def hops(nodes, size):
    """The number of levels and groups (mpiio/hops.h), where a node sends `size` bytes."""
    def root(levels):
        return next(n for n in range(max(int(nodes ** (1 / levels)) - 1, 1), nodes + 1) if n ** levels >= nodes)
    levels = 2
    while levels < HOPS_MOST and root(levels) > 2 and size // root(levels) < HOP_MESSAGE:
        levels += 1
    return levels, root(levels)


def levels_of(nodes, targets):
    """[groups, nodes of the largest column, messages of all nodes] of each level, where every node has bytes for each of
    `targets` nodes that are spread evenly."""
    count, most = targets[0]
    found, intervals = [], {(0, nodes)}
    for level in range(count):
        last, sent, widest, groups_most, deeper = level == count - 1, 0, 0, 0, set()
        for first, n in intervals:
            groups = n if last or n < most else most
            begins = [first + g * n // groups for g in range(groups + 1)]
            fewest, wanted = n // groups, [any_target(nodes, targets[1], a, b) for a, b in zip(begins, begins[1:])]
            longer = sum(b - a > fewest for a, b in zip(begins, begins[1:]))
            # Each node sends to each group that has a target, but its own: this is kept, but by a last node of a longer one.
            sent += sum(wanted) * n - sum(w * fewest for w in wanted)
            widest, groups_most = max(widest, groups + -(-longer // fewest)), max(groups_most, groups)
            deeper.update((a, b - a) for a, b in zip(begins, begins[1:]) if b > a)
        found.append((groups_most, widest, sent))
        intervals = deeper
    return found


def any_target(nodes, total, begin, end):
    """Has a node from `begin` to `end` one of `total` aggregators?"""
    return -(-end * total // nodes) > -(-begin * total // nodes)


def shape(ranks, nodes, begin, end, pieces, k=0):
    """How the bytes from `begin` to `end` of a file, of which every rank has `pieces` everywhere, are put. k: aggregators of a
    node; 0: the rule."""
    each_node = ranks // nodes
    total = aggregators(each_node, nodes, k)
    lanes = min(FEW, each_node) if total <= nodes else -(-total // nodes)
    m = memory(each_node, nodes, total, lanes)
    forwards = nodes >= 4 and total <= nodes and 0 < m.window // nodes < LEAST_EACH
    if forwards:
        lanes = 1
        m = memory(each_node, nodes, total, lanes, True)
        way = hops(nodes, total * m.window // nodes // 4 * 3)
    align = LARGE_ALIGN if -(-(end - begin) // total) >= 16 * LARGE_ALIGN else SMALL_ALIGN
    first = begin // align * align
    domain = -(-(-(-(end - first) // total)) // align) * align
    domains = -(-(end - first) // domain)
    has_for = min(domains - domains / nodes, pieces * each_node)  # windows of other nodes that a node has bytes for
    forwards = forwards and has_for > min(2 * way[0] * (way[1] - 1), NEIGHBOURS)
    levels = levels_of(nodes, (way, domains)) if forwards else []
    rounds = steps = writes = sent = 0
    length = min(domain, end - first)
    for window in [m.window] * (length // m.window) + [length % m.window] if m.window else []:
        if window == 0:
            continue
        rounds += 1
        part, part_pieces = window / ranks, window / (end - begin) * pieces  # of a rank in a window
        fits = max(part_pieces * domains / m.room, 1)
        if nodes > 1:
            fits = max(fits, part * domains * (1 - 1 / nodes) / m.staging)
        if nodes > 1 and not forwards:
            fits = max(fits, part / (m.message / 2), part_pieces * 2 * PIECE / m.message)
        in_each = math.ceil(fits)  # steps of a round
        steps += in_each
        if forwards:
            sent += in_each * sum(of_level[2] for of_level in levels)
        elif nodes > 1:
            of_rank = part + PIECE * part_pieces
            ranks_each = max(int((m.message - HEAD) // (of_rank / in_each)), 1)  # whose parts one message has
            sent += domains * (nodes - 1) * in_each * -(-each_node // ranks_each)
    if m.window:
        full = -(-domain // m.window)  # windows of a domain
        last = -(-(end - first - (domains - 1) * domain) // m.window)
        writes = (domains - 1) * full + last
        sent = sent if forwards else sent * writes // (domains * full)
    return Shape(nodes, total, lanes, m.window, m.each, domains, rounds, steps, writes, sent, levels)


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
