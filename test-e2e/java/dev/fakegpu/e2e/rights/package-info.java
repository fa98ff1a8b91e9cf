/** Tests of the rights of the operator and its parts. */
@NullMarked
package dev.fakegpu.e2e.rights;

import org.jspecify.annotations.NullMarked;
