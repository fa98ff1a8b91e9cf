/** Random and handmade problems, and upstream's allocator, with which answers are compared. */
package dev.fakegpu.engine.problemfile;
