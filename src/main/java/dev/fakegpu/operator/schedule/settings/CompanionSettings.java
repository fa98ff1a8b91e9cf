package dev.fakegpu.operator.schedule.settings;

import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Map;
import java.util.Objects;
import org.jboss.logging.Logger;

/** The effective options of the companion: those at startup, overridden by the ConfigMap {@value ObjectStores#SETTINGS}. */
public final class CompanionSettings {

    private static final Logger LOG = Logger.getLogger(CompanionSettings.class);

    private final SchedulerProfile profile;
    private final ObjectStore<ConfigMap> overrides;
    private final CompanionOptions initial;
    private Map<String, String> read = Map.of();
    private CompanionOptions options;

    public CompanionSettings(ObjectStores cluster, CompanionOptions initial) {
        this(SchedulerProfile.COMPANION, cluster.settings(), initial);
    }

    private CompanionSettings(SchedulerProfile profile, ObjectStore<ConfigMap> overrides, CompanionOptions initial) {
        this.profile = profile;
        this.overrides = overrides;
        this.initial = initial;
        this.options = initial;
    }

    /** The settings of kube-scheduler, which no ConfigMap overrides. */
    public static CompanionSettings ofKubeScheduler(CompanionOptions options) {
        return new CompanionSettings(SchedulerProfile.KUBE_SCHEDULER, new ObjectStore<>(), options);
    }

    /** The profile of the scheduler that has these options. */
    public SchedulerProfile profile() {
        return profile;
    }

    public CompanionOptions initial() {
        return initial;
    }

    /** Unknown values are logged once, and their entries ignored. */
    public synchronized CompanionOptions now() {
        Map<String, String> stored = stored();
        if (!stored.equals(read)) {
            read = stored;
            options = initial.with(
                    stored,
                    problem -> LOG.errorf(
                            "an entry of ConfigMap %s is not taken into account: %s", ObjectStores.SETTINGS, problem));
        }
        return options;
    }

    private Map<String, String> stored() {
        return overrides.list().stream()
                .findFirst()
                .map(map -> Objects.requireNonNullElse(map.getData(), Map.<String, String>of()))
                .orElse(Map.of());
    }
}
