/* Filled slots between tail and head; one slot always stays free. */
int ring_buffer_used(int head, int tail, int capacity)
{
    int used = 0;

    if (capacity < 2)
        return 0;
    head %= capacity;
    tail %= capacity;
    if (head < 0)
        head += capacity;
    if (tail < 0)
        tail += capacity;

    if (head == tail)
        return 0;
    if (head > tail)
        used = head - tail;
    else
        used = capacity - tail + head;
    if (used > capacity - 1)
        used = capacity - 1;
    return used;
}
