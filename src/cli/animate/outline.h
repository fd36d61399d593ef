/* Outlines in the plane. */
#ifndef PC_CLI_ANIMATE_OUTLINE_H
#define PC_CLI_ANIMATE_OUTLINE_H

enum { OUTLINE_MAX = 64 };

/* Moves the corners of the convex hull of `count` points (x and y count) to the front, in order,
 * and returns how many: 2 if all lie on a line, 1 if they are all the same. */
int convex_hull(double (*point)[3], int count);

#endif
