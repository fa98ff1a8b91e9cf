/** The pages of the documentation whose commands run, as their readers run them. */
@NullMarked
package dev.fakegpu.e2e.docs;

import org.jspecify.annotations.NullMarked;
