@NullMarked
package dev.fakegpu.api;

import org.jspecify.annotations.NullMarked;
