package dev.fakegpu.dra;

/**
 * A reason to keep off a device. {@code timeAdded} is left out: the API server sets it and nothing here decides by it.
 *
 * @param effect {@code None}, {@code NoSchedule} or {@code NoExecute}; others may come and are then without effect here
 */
public record DeviceTaint(String key, String value, String effect) {

    public boolean keepsFromScheduling() {
        return effect.equals("NoSchedule") || effect.equals("NoExecute");
    }

    @Override
    public String toString() {
        return value.isEmpty() ? key + ":" + effect : key + "=" + value + ":" + effect;
    }
}
