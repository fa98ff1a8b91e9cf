/** What the build runs beside Maven's plugins; no part of the program. */
@NullMarked
package dev.fakegpu.build;

import org.jspecify.annotations.NullMarked;
