"""The rules by which a collective put is divided among ranks, as numbers: what nodes.c, hops.c, twophase.c, internode.c and
relay.c of mpiio do, with the defaults of their hints. Where those change, these change."""
import math
from dataclasses import dataclass

VOTE = 104                                               # bytes of a vote: 13 numbers
FEW, RANKS_EACH, MOST = 4, 8, 16                         # aggregators of a node
WINDOW, LEAST_WINDOW, MEMORY = 1 << 20, 1 << 15, 8 << 20  # bytes: of a window, of a rank (pcdf_debug_exchange_size)
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
    can_forward: bool
    levels: list        # Level, where nodes forward
    turns: int          # so many parts of the nodes send one after the other, because a node has not enough room


def lines(n):
    return (n + LINE - 1) // LINE * LINE


def for_windows(ranks, nodes, memory=MEMORY, hops=False):
    return memory * ranks // 16 * (8 if nodes == 1 else 6 if hops else 5)


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
    relay: int      # bytes that a node can forward in a step
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
    left = for_windows(ranks, nodes, given, hops) - (0 if between else ranks * listed)
    window = min((left // 15 * 7 if between else left // 2) // here, best_window(nodes)) // 4096 * 4096
    window = window if window >= LEAST_WINDOW else 0
    staging = message = 0
    each = fixed + here * (2 * (window + window // 512) + window // 8) / ranks
    if between:
        staging = max(min(given // 16 * 9 // buffers - listed, window) // LINE * LINE, LEAST_STAGING)
        message = max(min(given * ranks // (16 if hops else 8) // lanes // SLOTS, MOST_MESSAGE) // LINE * LINE, LEAST_MESSAGE)
        each += max(message * SLOTS, 0 if hops else 16 * nodes) * lanes / ranks
    relay = min(ranks * (listed + staging), LARGEST)
    return Memory(window, room, staging, message, relay, each + buffers * (listed + staging))


def hops(nodes, size):
    """The number of levels and groups (mpiio/hops.h), where a node sends `size` bytes."""
    def root(levels):
        return next(n for n in range(max(int(nodes ** (1 / levels)) - 1, 1), nodes + 1) if n ** levels >= nodes)
    levels = 2
    while levels < HOPS_MOST and root(levels) > 2 and size // root(levels) < HOP_MESSAGE:
        levels += 1
    return levels, root(levels)


@dataclass
class Level:
    groups: int     # at most
    sent: int       # messages of all nodes in a step
    told: int       # and to tell how much comes
    load: float     # of the node that gets most: times what it would get if all got the same


def levels_of(nodes, way, targets):
    """The levels, where every node has bytes for each of `targets` nodes that are spread evenly."""
    count, most = way
    found, intervals = [], {(0, nodes)}
    for level in range(count):
        here, deeper = Level(1, 0, 0, 1), set()
        for first, n in intervals:
            groups = n if level == count - 1 or n < most else most
            begins = [first + g * n // groups for g in range(groups + 1)]
            fewest, wanted = n // groups, sum(any_target(nodes, targets, a, b) for a, b in zip(begins, begins[1:]))
            members = [groups] * fewest  # of each column
            for group in range(groups):
                if begins[group + 1] - begins[group] > fewest:
                    members[group % fewest] += 1
            # Each node sends to each group that has a target, but its own: this is kept, but by a last node of a longer one.
            here.sent += wanted * n - wanted * fewest
            here.told += sum(alltoall_messages(m) for m in members)
            here.groups = max(here.groups, groups)
            here.load = max(here.load, max(members) * max(b - a for a, b in zip(begins, begins[1:])) / n)
            deeper.update((a, b - a) for a, b in zip(begins, begins[1:]) if b > a)
        found.append(here)
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
    can_forward = nodes >= 4 and total <= nodes and 0 < m.window // nodes < LEAST_EACH
    if can_forward:
        lanes = 1
        m = memory(each_node, nodes, total, lanes, True)
        way = hops(nodes, min(total * m.window // nodes, each_node * m.staging) // 10 * 9)
    align = LARGE_ALIGN if -(-(end - begin) // total) >= 16 * LARGE_ALIGN else SMALL_ALIGN
    first = begin // align * align
    domain = -(-(-(-(end - first) // total)) // align) * align
    domains = -(-(end - first) // domain)
    has_for = min(domains - domains / nodes, pieces * each_node)  # windows of other nodes that a node has bytes for
    forwards = can_forward and has_for > min(2 * way[0] * (way[1] - 1), NEIGHBOURS)
    levels = levels_of(nodes, way, domains) if forwards else []
    rounds = steps = writes = sent = 0
    turns = 1
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
        if forwards:  # no node gets more at a time than it has room for
            of_window = min(window, domain) * (1 + PIECE / (end - begin) * pieces * ranks)
            of_window += SECTION * min(window / (end - begin) * pieces * ranks, ranks)
            of_node = of_window * domains / nodes * max(level.load for level in levels)
            turns = 1 << max(math.ceil(math.log2(max(of_window, of_node) / in_each / m.relay)), 0)
        steps += in_each
        if forwards:
            sent += in_each * (levels[0].sent + turns * sum(level.sent for level in levels[1:]))
        elif nodes > 1:
            of_rank = part + PIECE * part_pieces
            ranks_each = max(int((m.message - HEAD) // (of_rank / in_each)), 1)  # whose parts one message has
            sent += domains * (nodes - 1) * in_each * -(-each_node // ranks_each)
    if m.window:
        full = -(-domain // m.window)  # windows of a domain
        last = -(-(end - first - (domains - 1) * domain) // m.window)
        writes = (domains - 1) * full + last
        sent = sent if forwards else sent * writes // (domains * full)
    return Shape(nodes, total, lanes, m.window, m.each, domains, rounds, steps, writes, sent, can_forward, levels, turns)


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
