/** Problems made by hand, each of which shows a rule of upstream's allocator. */
package dev.fakegpu.engine.problemfile.corpus;
