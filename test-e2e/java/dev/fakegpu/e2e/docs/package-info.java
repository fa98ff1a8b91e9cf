/** Runs the commands in pages of the documentation as readers do. */
@NullMarked
package dev.fakegpu.e2e.docs;

import org.jspecify.annotations.NullMarked;
