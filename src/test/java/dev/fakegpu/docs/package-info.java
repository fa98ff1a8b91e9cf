/** What pages and samples show is checked or run: no block of a page is without a test. */
@NullMarked
package dev.fakegpu.docs;

import org.jspecify.annotations.NullMarked;
