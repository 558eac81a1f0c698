/* Fixes that the layer translates what differs between the ABI and an MPI library in both directions: error
 * classes, codes that functions of attributes return, thread levels, constants of datatypes, handles in
 * arrays, MPI_IN_PLACE. A real MPI with the ABI passes, too. */
#include <mpi.h>
#include "check.h"

static int rank, size;

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static int refuses(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key, (void)extra;
    CHECK(comm == MPI_COMM_SELF, "the function of an attribute gets another communicator");
    return *(int *)value;
}

static void errors(void)
{
    int key, answer = MPI_ERR_OTHER;
    MPI_Info info;
    MPI_File file;
    MPI_Info_create(&info);
    CHECK_INT(class_of(MPI_Info_delete(info, "nothing")), MPI_ERR_INFO_NOKEY);
    MPI_Info_free(&info);
    CHECK_INT(class_of(MPI_File_open(MPI_COMM_SELF, "absent", MPI_MODE_RDONLY, MPI_INFO_NULL, &file)),
              MPI_ERR_NO_SUCH_FILE);
    CHECK_INT(class_of(MPI_Bcast(&key, 1, MPI_INT, size, MPI_COMM_WORLD)), MPI_ERR_ROOT);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuses, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &answer);
    CHECK_INT(class_of(MPI_Comm_delete_attr(MPI_COMM_SELF, key)), MPI_ERR_OTHER);
    answer = MPI_SUCCESS;
    CHECK_INT(MPI_Comm_delete_attr(MPI_COMM_SELF, key), MPI_SUCCESS);
    MPI_Comm_free_keyval(&key);
}

static void datatypes(void)
{
    const int sizes[] = { 8, 9 }, parts[] = { 2, 3 }, begins[] = { 1, 1 }, grid[] = { 1, 1 };
    const int deal[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC },
              arguments[] = { MPI_DISTRIBUTE_DFLT_DARG, 2 };
    int numbers[16], combiner, n[3];
    MPI_Aint places[1];
    MPI_Datatype type, old;
    MPI_Type_create_darray(1, 0, 2, sizes, deal, arguments, grid, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_get_envelope(type, n, n + 1, n + 2, &combiner);
    CHECK_INT(combiner, MPI_COMBINER_DARRAY);
    MPI_Type_get_contents(type, 16, 1, 1, numbers, places, &old);
    CHECK(old == MPI_DOUBLE, "the old datatype is another");
    const int want[] = { 1, 0, 2, 8, 9, deal[0], deal[1], arguments[0], 2, 1, 1, MPI_ORDER_C };
    for (int i = 0; i < 12; i++)
        CHECK_INT(numbers[i], want[i]);
    MPI_Type_free(&type);
    MPI_Type_create_subarray(2, sizes, parts, begins, MPI_ORDER_FORTRAN, MPI_INT, &type);
    MPI_Type_get_contents(type, 16, 1, 1, numbers, places, &old);
    CHECK_INT(numbers[7], MPI_ORDER_FORTRAN);
    MPI_Type_free(&type);
}

static void arrays(void)
{
    int all[2] = { -1, -1 }, got = -1, ones[2] = { 1, 1 }, at[2] = { 0, sizeof(int) }, mine[2], n;
    MPI_Datatype types[2] = { MPI_INT, MPI_INT };
    MPI_Request requests[3] = { MPI_REQUEST_NULL };
    MPI_Status statuses[3];
    all[rank] = rank + 10;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK(all[0] == 10 && all[1] == 11, "gathered in place: %d %d", all[0], all[1]);
    MPI_Scatter(all, 1, MPI_INT, rank == 1 ? MPI_IN_PLACE : &got, 1, MPI_INT, 1, MPI_COMM_WORLD);
    CHECK_INT(rank == 1 ? all[1] : got, 10 + rank);
    MPI_Alltoallw(all, ones, at, types, mine, ones, at, types, MPI_COMM_WORLD);
    CHECK(mine[0] == 10 + rank && mine[1] == 10 + rank, "all to all: %d %d", mine[0], mine[1]);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests + 1);
    MPI_Issend(all, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, requests + 2);
    CHECK_INT(MPI_Waitall(3, requests, statuses), MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL, "request %d is not MPI_REQUEST_NULL", i);
    MPI_Get_count(statuses + 1, MPI_INT, &n);
    CHECK(statuses[1].MPI_SOURCE == 1 - rank && statuses[1].MPI_TAG == 7 && n == 1,
          "from %d, tag %d, %d values", statuses[1].MPI_SOURCE, statuses[1].MPI_TAG, n);
    MPI_Recv(&got, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, statuses);
    CHECK_INT(statuses[0].MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(statuses[0].MPI_TAG, MPI_ANY_TAG);
}

int main(int argc, char **argv)
{
    int level = -1, asked = -1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Query_thread(&asked);
    CHECK(level == asked && level >= MPI_THREAD_FUNNELED, "thread levels %d and %d", level, asked);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    errors();
    datatypes();
    arrays();
    MPI_Finalize();
    return check_done("layer_calls");
}
