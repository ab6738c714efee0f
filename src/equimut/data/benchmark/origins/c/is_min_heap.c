bool is_min_heap(const int *a, size_t n)
{
    bool ordered = true;

    if (n <= 1)
        return true;
    for (size_t i = 0; i <= (n - 2) / 2 && ordered; i++) {
        size_t left = 2 * i + 1;
        size_t right = left + 1;

        if (left < n && a[left] < a[i])
            ordered = false;
        if (right < n && a[right] < a[i])
            ordered = false;
    }
    return ordered;
}
