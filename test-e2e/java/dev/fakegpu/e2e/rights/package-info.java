/** What the operator and its parts may do. */
@NullMarked
package dev.fakegpu.e2e.rights;

import org.jspecify.annotations.NullMarked;
