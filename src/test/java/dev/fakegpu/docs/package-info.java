/** Tests that run or check pages and samples: no block of a page is without a test. */
@NullMarked
package dev.fakegpu.docs;

import org.jspecify.annotations.NullMarked;
