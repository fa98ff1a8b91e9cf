/** What keeps pods off nodes apart from devices, in kube-scheduler's words. */
@NullMarked
package dev.fakegpu.schedule.fit;

import org.jspecify.annotations.NullMarked;
