package dev.fakegpu.simulate.memory;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sets the defaults of the API server ({@code pkg/apis/core/v1/defaults.go}, {@code pkg/apis/resource/v1/defaults.go}). */
final class ApiDefaults {

    private static final String EXACT_COUNT = "ExactCount";
    private static final int FRACTIONS = 1_000_000;
    private static final DateTimeFormatter FRACTION =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private ApiDefaults() {}

    /**
     * The creation time. It is in whole seconds as the API server writes it, except for pods and claims of the same second: they have a
     * fraction that keeps their order, since schedulers decide in the order of creation.
     *
     * @param order increases from object to object
     */
    static String creationTimestamp(HasMetadata object, Instant now, long order) {
        Instant second = now.truncatedTo(ChronoUnit.SECONDS);
        return object instanceof Pod || object instanceof ResourceClaim
                ? FRACTION.format(second.plus(order % FRACTIONS, ChronoUnit.MICROS))
                : second.toString();
    }

    /** @param now the time when the object is stored */
    static void set(HasMetadata object, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        if (object instanceof Pod pod) {
            if (pod.getSpec().getSchedulerName() == null) {
                pod.getSpec().setSchedulerName("default-scheduler");
            }
            if (pod.getStatus() == null || pod.getStatus().getPhase() == null) {
                pod.setStatus(new PodStatusBuilder(pod.getStatus())
                        .withPhase("Pending")
                        .build());
            }
        } else if (object instanceof ResourceClaim claim) {
            set(claim.getSpec());
        } else if (object instanceof ResourceClaimTemplate template && template.getSpec() != null) {
            set(template.getSpec().getSpec());
        } else if (object instanceof ResourceSlice slice && slice.getSpec() != null) {
            Objects.requireNonNullElse(slice.getSpec().getDevices(), List.<Device>of()).stream()
                    .flatMap(device -> device.getTaints().stream())
                    .filter(taint -> taint.getTimeAdded() == null)
                    .forEach(taint -> taint.setTimeAdded(time));
        } else if (object instanceof DeviceTaintRule rule
                && rule.getSpec().getTaint() != null
                && rule.getSpec().getTaint().getTimeAdded() == null) {
            rule.getSpec().getTaint().setTimeAdded(time);
        }
    }

    /** If the effect of a taint changes, its time starts again ({@code pkg/registry/resource/devicetaintrule/strategy.go}). */
    static void setForUpdate(HasMetadata before, HasMetadata after, Instant now) {
        if (before instanceof DeviceTaintRule old && after instanceof DeviceTaintRule rule) {
            var taint = rule.getSpec().getTaint();
            var oldTaint = old.getSpec().getTaint();
            if (taint != null
                    && oldTaint != null
                    && !Objects.equals(taint.getEffect(), oldTaint.getEffect())
                    && Objects.equals(taint.getTimeAdded(), oldTaint.getTimeAdded())) {
                taint.setTimeAdded(now.truncatedTo(ChronoUnit.SECONDS).toString());
            }
        }
    }

    static void set(@Nullable ResourceClaimSpec spec) {
        if (spec == null || spec.getDevices() == null) {
            return;
        }
        for (var request : spec.getDevices().getRequests()) {
            var exactly = request.getExactly();
            if (exactly != null) {
                if (exactly.getAllocationMode() == null) {
                    exactly.setAllocationMode(EXACT_COUNT);
                }
                if (exactly.getCount() == null && EXACT_COUNT.equals(exactly.getAllocationMode())) {
                    exactly.setCount(1L);
                }
                tolerations(exactly.getTolerations());
            }
            for (var alternative : request.getFirstAvailable()) {
                if (alternative.getAllocationMode() == null) {
                    alternative.setAllocationMode(EXACT_COUNT);
                }
                if (alternative.getCount() == null && EXACT_COUNT.equals(alternative.getAllocationMode())) {
                    alternative.setCount(1L);
                }
                tolerations(alternative.getTolerations());
            }
        }
    }

    private static void tolerations(List<DeviceToleration> tolerations) {
        for (DeviceToleration toleration : tolerations) {
            if (toleration.getOperator() == null) {
                toleration.setOperator("Equal");
            }
        }
    }
}
