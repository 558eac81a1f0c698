/* See states.h. A state is known by a hash of its bytes, made of the hashes of its sectors, so that one that
 * was seen before need not be built. */
#include "states.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- hashes */

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Zeros hash to 0: what was never written is zeros. */
static uint64_t hash_sector(int64_t place, const unsigned char *bytes, int n)
{
    uint64_t h = 0, word, any = 0;
    for (int i = 0; i + 8 <= n; i += 8) {
        memcpy(&word, bytes + i, 8);
        any |= word;
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    for (int i = n / 8 * 8; i < n; i++) {
        any |= bytes[i];
        h = (h ^ ((uint64_t)bytes[i] << 8 | (unsigned)i)) * 0x9e3779b97f4a7c15u;
    }
    return any ? mix(h ^ mix((uint64_t)place + 1)) : 0;
}

static uint64_t hash_bytes(const struct bytes *b)
{
    uint64_t h = 0;
    for (int64_t i = 0; i < b->n; i += SECTOR) /* room is zeros and whole sectors */
        h ^= hash_sector(i / SECTOR, b->x + i, SECTOR);
    return h;
}

static struct {
    uint64_t *keys;
    size_t n, room;
} seen;

static void forget_states(void)
{
    if (seen.keys)
        memset(seen.keys, 0, seen.room * sizeof *seen.keys);
    seen.n = 0;
}

static bool insert(uint64_t *keys, size_t room, uint64_t key)
{
    size_t i = (size_t)key & (room - 1);
    while (keys[i] && keys[i] != key)
        i = (i + 1) & (room - 1);
    bool is_new = keys[i] == 0;
    keys[i] = key;
    return is_new;
}

static bool is_new_state(uint64_t key)
{
    key |= key == 0;
    if (2 * seen.n >= seen.room) {
        size_t room = seen.room ? 2 * seen.room : 1 << 16;
        uint64_t *keys = calloc(room, sizeof *keys);
        for (size_t i = 0; i < seen.room; i++)
            if (seen.keys[i])
                (void)insert(keys, room, seen.keys[i]);
        free(seen.keys);
        seen.keys = keys;
        seen.room = room;
    }
    bool is_new = insert(seen.keys, seen.room, key);
    seen.n += is_new;
    return is_new;
}

/* ---- one point of the log */

struct unit { /* what may have landed or not: a sector with its writes, or a size */
    int file;
    int64_t index; /* of the sector, or of the resize */
    bool is_resize;
    int options, chosen;
    uint64_t *hash; /* of each option, against option 0 */
};

struct point {
    struct enumeration *e;
    struct world *w;
    const struct log *log;
    size_t at;
    int inode[NFILES]; /* -1: none */
    uint64_t base[NFILES];
    struct unit *units;
    int nunits, room;
    uint64_t random;
};

static void file_names(const struct versions *v, char names[NFILES][512])
{
    snprintf(names[0], 512, "%s", v->name);
    snprintf(names[1], 512, ".%s.parcdf-journal", v->name);
}

static uint64_t next_random(struct point *p)
{
    p->random += 0x9e3779b97f4a7c15u;
    return mix(p->random);
}

static void sector_bytes(const struct inode *f, int64_t index, int option, unsigned char *bytes)
{
    const struct sector *s = &f->sectors[index];
    int64_t at = index * SECTOR, left = f->stored.n - at;
    memset(bytes, 0, SECTOR);
    if (left > 0)
        memcpy(bytes, f->stored.x + at, (size_t)(left < SECTOR ? left : SECTOR));
    for (int i = 0; i < option; i++)
        memcpy(bytes + s->x[i].from, s->x[i].data, (size_t)s->x[i].n);
}

static void add_unit(struct point *p, int file, int64_t index, bool is_resize, int options)
{
    if (p->nunits == p->room) {
        p->room = p->room * 2 + 64;
        p->units = realloc(p->units, (size_t)p->room * sizeof *p->units);
    }
    struct unit *u = &p->units[p->nunits++];
    *u = (struct unit){ file, index, is_resize, options, 0, calloc((size_t)options, sizeof *u->hash) };
    if (is_resize) {
        u->hash[1] = mix((uint64_t)index * 3 + 77 + (uint64_t)file);
        return;
    }
    const struct inode *f = &p->w->inodes[p->inode[file]];
    unsigned char bytes[SECTOR];
    uint64_t first = 0;
    for (int i = 0; i < options; i++) {
        sector_bytes(f, index, i, bytes);
        uint64_t h = hash_sector(index, bytes, SECTOR);
        if (i == 0)
            first = h;
        u->hash[i] = mix((h ^ first) * (uint64_t)(2 * file + 1));
    }
    u->hash[0] = 0;
}

static void list_units(struct point *p)
{
    for (int i = 0; i < p->nunits; i++)
        free(p->units[i].hash);
    p->nunits = 0;
    for (int file = 0; file < NFILES; file++) {
        const struct inode *f = p->inode[file] >= 0 ? &p->w->inodes[p->inode[file]] : NULL;
        for (int64_t i = 0; f && i < f->nsectors; i++)
            if (f->sectors[i].n)
                add_unit(p, file, i, false, f->sectors[i].n + 1);
        for (int i = 0; f && i < f->nresizes; i++)
            add_unit(p, file, i, true, 2);
        p->base[file] = f ? mix(hash_bytes(&f->stored) + (uint64_t)f->stored.n + 1) : 0;
    }
}

/* Both files as they are on the storage. */
static void place_stored(const struct point *p, struct state *s)
{
    for (int file = 0; file < NFILES; file++) {
        const struct inode *f = p->inode[file] >= 0 ? &p->w->inodes[p->inode[file]] : NULL;
        bytes_size(&s->files[file], 0);
        s->there[file] = f != NULL;
        s->stored[file] = NULL;
        if (f)
            bytes_put(&s->files[file], 0, f->stored.x, f->stored.n);
    }
}

/* What is chosen, on top of that. */
static void land(const struct point *p, struct state *s)
{
    for (int i = 0; i < p->nunits; i++) {
        const struct unit *u = &p->units[i];
        const struct inode *f = &p->w->inodes[p->inode[u->file]];
        struct bytes *b = &s->files[u->file];
        if (u->is_resize && u->chosen && f->resizes[u->index].size > b->n)
            bytes_size(b, f->resizes[u->index].size);
        for (int j = 0; !u->is_resize && j < u->chosen; j++)
            bytes_put(b, u->index * SECTOR + f->sectors[u->index].x[j].from, f->sectors[u->index].x[j].data,
                      f->sectors[u->index].x[j].n);
    }
}

/* Away with it: a state costs what differs, not what the files hold. */
static void lift(const struct point *p, struct state *s)
{
    for (int file = 0; file < NFILES; file++)
        if (p->inode[file] >= 0)
            bytes_size(&s->files[file], p->w->inodes[p->inode[file]].stored.n);
    for (int i = 0; i < p->nunits; i++) {
        const struct unit *u = &p->units[i];
        const struct bytes *stored = &p->w->inodes[p->inode[u->file]].stored;
        int64_t at = u->index * SECTOR, left = stored->n - at;
        if (!u->is_resize && u->chosen && left > 0)
            bytes_put(&s->files[u->file], at, stored->x + at, left < SECTOR ? left : SECTOR);
    }
}

/* What a recovery passed through is no reason to leave it out of the run itself: from there the recovery may
 * be recorded. */
static uint64_t salt(const struct point *p)
{
    return (uint64_t)p->e->depth << 40;
}

static void take_choice(struct point *p, struct state *s)
{
    uint64_t key = mix(p->base[0] * 3 + p->base[1] * 5 + (uint64_t)s->low * 7 + (uint64_t)s->high * 1001 +
                       s->is_power + salt(p));
    for (int i = 0; i < p->nunits; i++)
        key ^= p->units[i].hash[p->units[i].chosen];
    p->e->tally->enumerated++;
    if (!is_new_state(key))
        return;
    land(p, s);
    states_judge(p->e, s);
    lift(p, s);
}

static void choose_versions(const struct point *p, struct state *s)
{
    const struct state *between = p->e->between;
    if (between) {
        s->low = between->low;
        s->high = between->high;
        if (s->is_power && !between->is_power) { /* it takes what the kill had left in memory */
            int high;
            versions_between(p->e->versions, between->at, true, &s->low, &high);
        }
        s->inode = between->inode;
        s->is_power |= between->is_power; /* what the power cut took stays lost */
    } else {
        versions_between(p->e->versions, p->at, s->is_power, &s->low, &s->high);
        s->inode = p->inode[0] >= 0 ? p->w->inodes[p->inode[0]].number : 0;
    }
}

/* ---- power cuts */

/* False: that was the last. */
static bool next_choice(struct point *p)
{
    for (int i = 0; i < p->nunits; i++) {
        if (++p->units[i].chosen < p->units[i].options)
            return true;
        p->units[i].chosen = 0;
    }
    return false;
}

static bool are_few(const struct point *p, int most)
{
    int product = 1;
    for (int i = 0; i < p->nunits && product <= most; i++)
        product *= p->units[i].options;
    return product <= most;
}

static void choose_all(struct point *p, struct state *s, bool landed)
{
    for (int i = 0; i < p->nunits; i++)
        p->units[i].chosen = landed ? p->units[i].options - 1 : 0;
    take_choice(p, s);
}

/* Nothing, everything, all but one sector and one alone (of a few), and at random: evenly, few of them, most
 * of them. */
static void choose_some(struct point *p, struct state *s)
{
    choose_all(p, s, false);
    for (int i = 0; i < 8; i++) {
        struct unit *u = &p->units[next_random(p) % (uint64_t)p->nunits];
        choose_all(p, s, i % 2);
        u->chosen = i % 2 ? 0 : u->options - 1;
        take_choice(p, s);
    }
    choose_all(p, s, true);
    for (int n = 0; n < p->e->subsets; n++) {
        for (int i = 0; i < p->nunits; i++) {
            uint64_t r = next_random(p);
            int options = p->units[i].options;
            bool extreme = n % 3 && (r >> 32) % 8;
            p->units[i].chosen = extreme ? (n % 3 == 1 ? 0 : options - 1) : (int)(r % (uint64_t)options);
        }
        take_choice(p, s);
    }
}

static void cut_power(struct point *p, struct state *s)
{
    char names[NFILES][512];
    s->is_power = true;
    file_names(p->e->versions, names);
    for (int first = 0; first <= p->w->npending; first++) {
        for (int file = 0; file < NFILES; file++)
            p->inode[file] = world_landed(p->w, names[file], first);
        choose_versions(p, s);
        list_units(p);
        place_stored(p, s);
        if (!are_few(p, 1024)) {
            choose_some(p, s);
            continue;
        }
        for (int i = 0; i < p->nunits; i++)
            p->units[i].chosen = 0;
        do
            take_choice(p, s);
        while (next_choice(p));
    }
}

/* ---- kills */

enum { MOST_FLYING = 16, CUTS = 24 };

struct flight { /* a write that has begun */
    const struct entry *entry;
    int file;
    int64_t cuts[CUTS]; /* it may have come so far */
    int ncuts, cut;
};

static void list_cuts(struct flight *f, int ranks)
{
    int64_t n = f->entry->r.length, first = SECTOR - f->entry->r.offset % SECTOR;
    int64_t sectors = first >= n ? 0 : (n - first + SECTOR - 1) / SECTOR, most = ranks > 1 ? 1 : CUTS - 2;
    int64_t step = sectors > most ? (sectors + most - 1) / most : 1;
    f->cuts[f->ncuts++] = 0;
    for (int64_t i = step / 2; i < sectors && f->ncuts < CUTS - 1; i += step)
        f->cuts[f->ncuts++] = first + i * SECTOR;
    f->cuts[f->ncuts++] = n;
}

static int list_flights(const struct point *p, struct flight *flights)
{
    int n = 0;
    for (size_t i = 0; i <= p->at && n < MOST_FLYING; i++) {
        const struct entry *e = &p->log->x[i];
        if (e->r.op != SHIM_WRITE || (e->end && e->end <= p->at))
            continue;
        int inode = world_inode(p->w, e->r.inode);
        for (int file = 0; file < NFILES; file++)
            if (inode >= 0 && inode == p->inode[file])
                flights[n++] = (struct flight){ .entry = e, .file = file };
    }
    for (int i = 0; i < n; i++)
        list_cuts(&flights[i], n);
    return n;
}

static bool next_cut(struct flight *flights, int n)
{
    for (int i = 0; i < n; i++) {
        if (++flights[i].cut < flights[i].ncuts)
            return true;
        flights[i].cut = 0;
    }
    return false;
}

static void kill_now(struct point *p, struct state *s)
{
    struct flight flights[MOST_FLYING];
    char names[NFILES][512];
    s->is_power = false;
    file_names(p->e->versions, names);
    for (int file = 0; file < NFILES; file++)
        p->inode[file] = world_seen(p->w, names[file]);
    choose_versions(p, s);
    int n = list_flights(p, flights);
    do {
        uint64_t key = (uint64_t)s->low * 7 + (uint64_t)s->high * 1001 + salt(p);
        for (int file = 0; file < NFILES; file++) {
            const struct inode *f = p->inode[file] >= 0 ? &p->w->inodes[p->inode[file]] : NULL;
            bytes_size(&s->files[file], 0);
            s->there[file] = f != NULL;
            s->stored[file] = f ? &f->stored : NULL;
            s->is_named[file] = f && world_landed(p->w, names[file], 0) == p->inode[file];
            if (f)
                bytes_put(&s->files[file], 0, f->seen.x, f->seen.n);
        }
        for (int i = 0; i < n; i++)
            bytes_put(&s->files[flights[i].file], flights[i].entry->r.offset, flights[i].entry->data,
                      flights[i].cuts[flights[i].cut]);
        for (int file = 0; file < NFILES; file++)
            key = mix(key * 31 + hash_bytes(&s->files[file]) + (uint64_t)s->files[file].n + s->there[file]);
        p->e->tally->enumerated++;
        if (is_new_state(key))
            states_judge(p->e, s);
    } while (next_cut(flights, n));
}

/* ---- a log */

/* A write that ends leaves what it could have left while it was under way. */
static bool adds_states(const struct log *log, size_t at)
{
    const struct entry *e = &log->x[at];
    return e->r.op == SHIM_WRITE || e->r.op == SHIM_NOTE ||
           (e->r.op == SHIM_END && log->x[e->begin].r.op != SHIM_WRITE);
}

void states_of_log(struct enumeration *e, struct world *w, const struct log *log)
{
    struct point p = { .e = e, .w = w, .log = log, .random = e->seed };
    struct state s = { 0 };
    if (e->depth == 0)
        forget_states();
    for (size_t i = 0; i < log->n && !w->trouble; i++) {
        world_step(w, log, i);
        p.at = s.at = i;
        if (!adds_states(log, i) || (e->depth == 0 && w->nstored + w->npending == 0 && w->ninodes == 0))
            continue;
        kill_now(&p, &s);
        if (!e->kills_only && versions_outlast_power(e->versions, e->between ? e->between->at : i))
            cut_power(&p, &s);
    }
    if (w->trouble) {
        printf("%s: the log cannot be followed: %s\n", e->title, w->trouble);
        e->tally->bad++;
    }
    for (int i = 0; i < p.nunits; i++)
        free(p.units[i].hash);
    free(p.units);
    for (int file = 0; file < NFILES; file++)
        free(s.files[file].x);
}
