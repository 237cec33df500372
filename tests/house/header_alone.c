/* header_alone.c - compiled as C11 and as C++17 for each public header: it must need no other header before
 * it, and bear being included twice. */
#include HEADER
#include HEADER

int main(void)
{
    return 0;
}
