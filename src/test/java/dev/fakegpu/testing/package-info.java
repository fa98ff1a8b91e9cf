/** What tests of several packages share: above all a real control plane, started the way a person starts one. */
@NullMarked
package dev.fakegpu.testing;

import org.jspecify.annotations.NullMarked;
