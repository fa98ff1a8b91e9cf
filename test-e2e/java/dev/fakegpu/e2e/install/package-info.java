/** Tests of installation, upgrades and removal as users do it, with {@code kubectl} and {@code helm}. */
@NullMarked
package dev.fakegpu.e2e.install;

import org.jspecify.annotations.NullMarked;
