/** Problems made up by chance and by hand, and upstream's allocator to hold answers against. */
package dev.fakegpu.engine.problemfile;
