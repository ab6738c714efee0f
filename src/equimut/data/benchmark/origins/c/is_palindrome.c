/* Letters and digits only, case does not matter. */
bool is_palindrome(const char *s)
{
    int left = 0;
    int right = 0;

    while (s[right] != '\0')
        right++;
    right--;

    while (left < right) {
        if (!isalnum((unsigned char)s[left])) {
            left++;
        } else if (!isalnum((unsigned char)s[right])) {
            right--;
        } else {
            if (tolower((unsigned char)s[left]) != tolower((unsigned char)s[right]))
                return false;
            left++;
            right--;
        }
    }
    return true;
}
