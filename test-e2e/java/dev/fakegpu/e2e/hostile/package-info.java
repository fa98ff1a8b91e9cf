/** Tests of objects that tenants with {@code edit} rights can write, and that must not stop the operator for others. */
@NullMarked
package dev.fakegpu.e2e.hostile;

import org.jspecify.annotations.NullMarked;
